// Calls the demo and a server with low limits, with the client for TypeScript.

import createClient from "openapi-fetch";
import type { Client } from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Pose = components["schemas"]["Pose"];
type ErrorCode = components["schemas"]["ErrorCode"];
type Answer = { data?: unknown; error?: unknown; response: Response };

// The types of node are not installed.
declare const process: { argv: string[] };

const PLAYERS = ["Gwendolin", "Reynard"];
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47];

function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

function assertPicture({ data, error }: Answer): void {
  assert(data instanceof ArrayBuffer, JSON.stringify(error));
  const bytes = new Uint8Array(data);
  assert(SIGNATURE.every((byte, index) => bytes[index] === byte), "not a PNG");
}

function assertError({ error, response }: Answer, status: number, code: ErrorCode): string {
  assert(response.status === status, `${response.status} ${JSON.stringify(error)}`);
  const { error: message, code: actual } = error as components["schemas"]["Error"];
  assert(actual === code, String(actual));
  return message;
}

async function drawPictures(client: Client<paths>): Promise<void> {
  const pose: Pose = "walk";
  const path = { view: "figure", player: "Gwendolin" } as const;
  assertPicture(await client.GET("/v1/{view}/{player}", {
    params: {
      path,
      query: { size: 64, yaw: -30.5, pose, "right-arm": "-90,0,0", cape: 40, overlay: "false" },
    },
    parseAs: "arrayBuffer",
  }));
  assertPicture(await client.GET("/v1/{view}/{player}.{format}", {
    params: { path: { ...path, format: "apng" }, query: { size: 16, turn: "true" } },
    parseAs: "arrayBuffer",
  }));
  const skin = await client.GET("/v1/skin/{player}", {
    params: { path: { player: "Gwendolin" } },
    parseAs: "arrayBuffer",
  });
  assertPicture(skin);
  assertPicture(await preview(client, skin.data));
}

/** Draws a skin file that is sent. */
function preview(client: Client<paths>, file: unknown) {
  return client.POST("/v1/preview/{view}", {
    params: { path: { view: "bust" }, query: { model: "slim" } },
    headers: { "Content-Type": "application/octet-stream" },
    // A binary body is a string in the types.
    body: file as string,
    bodySerializer: (body) => body,
    parseAs: "arrayBuffer",
  });
}

async function readProfiles(client: Client<paths>): Promise<void> {
  const { data, error } = await client.GET("/v1/profile/{player}", {
    params: { path: { player: "Gwendolin" } },
  });
  assert(data?.name === "Gwendolin", JSON.stringify(error));
}

async function readLists(client: Client<paths>): Promise<void> {
  const query = { players: PLAYERS };
  assertPicture(await client.GET("/v1/group", { params: { query }, parseAs: "arrayBuffer" }));
  assertPicture(await client.GET("/v1/sheet", { params: { query }, parseAs: "arrayBuffer" }));
  const group = await client.GET("/v1/group.json", { params: { query } });
  assert(group.data, JSON.stringify(group.error));
  const places = group.data.players.map((place) => place.player);
  assert(places.join() === PLAYERS.join(), places.join());

  // One missing player spoils no list.
  const { data, error } = await client.GET("/v1/profiles", {
    params: { query: { players: ["Gwendolin", "Nobody"] } },
  });
  assert(data, JSON.stringify(error));
  const [found, missing] = data;
  assert(found && "name" in found && found.name === "Gwendolin", JSON.stringify(found));
  assert(missing && "error" in missing && missing.status === 404, JSON.stringify(missing));
  const code: ErrorCode = missing.code;
  assert(code === "player_not_found", code);
}

async function readErrors(client: Client<paths>): Promise<void> {
  const refused = await client.GET("/v1/{view}/{player}", {
    params: { path: { view: "bust", player: "Gwendolin" }, query: { yaw: 1 } },
  });
  const message = assertError(refused, 400, "invalid_request");
  assert(message === "Yaw applies only to figure, portrait and cube", message);
  const path = { view: "face", player: "Nobody" } as const;
  const picture = await client.GET("/v1/{view}/{player}", { params: { path } });
  assertError(picture, 404, "player_not_found");
  const profile = await client.GET("/v1/profile/{player}", { params: { path } });
  assertError(profile, 404, "player_not_found");
}

/** A broken file is an error of JSON, which is read like the others. */
async function sendBrokenFile(client: Client<paths>): Promise<void> {
  const answer = await preview(client, "no skin");
  assertError(answer, 400, "invalid_skin");
}

/** Draws until the server refuses, which it does after the first large picture. */
async function reachLimit(client: Client<paths>): Promise<void> {
  const path = { view: "figure", player: "knight" } as const;
  for (const size of [801, 802, 803]) {
    const answer = await client.GET("/v1/{view}/{player}", {
      params: { path, query: { size } },
      parseAs: "arrayBuffer",
    });
    if (answer.response.ok) continue;
    assertError(answer, 429, "rate_limited");
    assert(Number(answer.response.headers.get("Retry-After")) > 0, "no Retry-After");
    return;
  }
  throw new Error("the server has drawn everything");
}

const [, , demo, limited] = process.argv;
assert(demo && limited, "usage: call.js <url of the demo> <url of a server with low limits>");
const client = createClient<paths>({ baseUrl: demo });
await drawPictures(client);
await readProfiles(client);
await readLists(client);
await readErrors(client);
await sendBrokenFile(client);
// A list may also be one value with commas.
const array = { style: "form", explode: false } as const;
await readLists(createClient<paths>({ baseUrl: demo, querySerializer: { array } }));
await reachLimit(createClient<paths>({ baseUrl: limited }));

// A word that a parameter does not have is no type.
// @ts-expect-error
const wrong: Pose = "moonwalk";
assert(wrong, "a word");

console.log("the client for TypeScript works");
