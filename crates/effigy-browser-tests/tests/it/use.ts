// A page in TypeScript. Statements that must not compile say so.
import { EffigyFigure } from "effigy-figure/effigy-figure.js";
import init, { Painter } from "effigy-figure/effigy_wasm.js";

const figure: EffigyFigure = document.createElement("effigy-figure");
figure.player = "Notch";
figure["right-arm"] = "0,0,90";
figure.overlay = false;
figure.yaw = figure.yaw + 15;
// @ts-expect-error: an angle is no switch
figure.zoom = true;
const fail = ({ detail }: CustomEvent<{ status: number; message: string }>) => console.log(detail.status, detail.message.length);
figure.addEventListener("error", fail);
figure.removeEventListener("error", fail);
figure.addEventListener("pointerdown", (event) => event.pointerId);
const model: "classic" | "slim" = await figure.show(new Blob(), "slim");
const nothing: string | null = await figure.show(document.querySelector("input")?.files?.[0] ?? null, null);
const frame: ImageData = figure.draw({ view: "figure" });

await init({ module_or_path: "effigy_wasm_bg.wasm" });
const painter = new Painter(new Uint8Array(), model);
const picture = new ImageData(painter.draw("view=figure&size=256"), painter.width);
console.log(nothing, frame.width, picture.width);
