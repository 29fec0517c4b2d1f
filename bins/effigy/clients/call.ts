// Calls the demo with the client for TypeScript.

import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Pose = components["schemas"]["Pose"];

// The types of node are not installed.
declare const process: { argv: string[] };

function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

const baseUrl = process.argv[2];
assert(baseUrl, "usage: call.js <url>");
const repeating = createClient<paths>({ baseUrl });
const joining = createClient<paths>({
  baseUrl,
  querySerializer: { array: { style: "form", explode: false } },
});

const pose: Pose = "walk";
const picture = await repeating.GET("/v1/{view}/{player}", {
  params: {
    path: { view: "figure", player: "Gwendolin" },
    query: { size: 64, yaw: -30.5, pose, "right-arm": "-90,0,0", cape: 40, overlay: "false" },
  },
  parseAs: "arrayBuffer",
});
assert(picture.data, JSON.stringify(picture.error));
assert(new Uint8Array(picture.data)[1] === "P".charCodeAt(0), "not a PNG");

for (const client of [repeating, joining]) {
  const players = ["Gwendolin", "Reynard"];
  const { data, error } = await client.GET("/v1/profiles", { params: { query: { players } } });
  assert(data, JSON.stringify(error));
  const names = data.map((profile) => ("name" in profile ? profile.name : profile.error));
  assert(names.join() === players.join(), names.join());
}

const refused = await repeating.GET("/v1/{view}/{player}", {
  params: { path: { view: "bust", player: "Gwendolin" }, query: { yaw: 1 } },
});
const message = refused.error && "error" in refused.error && refused.error.error;
assert(message === "Yaw applies only to figure, portrait and cube", String(message));
const code = refused.error && "code" in refused.error && refused.error.code;
assert(code === "invalid_request", String(code));

// A word that a parameter does not have is no type.
// @ts-expect-error
const wrong: Pose = "moonwalk";
assert(wrong, "a word");

console.log("the client for TypeScript works");
