// A program in TypeScript. What must not compile says so.
import { Skin } from "effigy-figure/node";
import type {
  ErrorCode, Picture, PictureError, PictureSettings, SkinOptions, View,
} from "effigy-figure/node";

declare const typedByUser: string | null;

const options: SkinOptions = { model: "slim", cape: new ArrayBuffer(8), name: "Notch" };
const skin: Skin = Skin.decode(new Uint8Array(), options);
const model: "classic" | "slim" = skin.model;
const view: View = "isobody";
const parameters: PictureSettings = {
  size: 256, pose: "walk", phase: 0.5, "right-arm": [-90, 0, 20], "left-arm": "0,0,9", light: "game",
  "light-from": [-60, 40], cape: 40, overlay: false, background: "202225", animate: true,
};
const pictures: Picture[] = [
  skin.figure(parameters), skin.portrait(), skin.cube({ yaw: -30, pitch: null, pose: undefined }),
  skin.head(), skin.face({ size: 64 }), skin.bust(new URLSearchParams("size=64")), skin.player(),
  skin.body(), skin.bodyBack(), skin.bodyLeft(), skin.bodyRight(), skin.combo(), skin.layout(),
  skin.isohead({ facing: "left" }), skin.isobody(), skin.picture(view), skin.picture("figure", {}),
  // A word of a user is checked when the picture is made.
  skin.figure({ pose: typedByUser }), skin.picture(typedByUser ?? "face"),
];
const [picture] = pictures;
const files: Uint8Array[] = [picture.toPng(), picture.toApng(), picture.toGif()];
const pixels = new ImageData(picture.data as ImageData["data"], picture.width, picture.height);
const text: string = picture.toSvg();
const isBadUpload = (error: PictureError): boolean => error.code === "invalid_skin";
const code: ErrorCode = "picture_too_large";
console.log(model, files.length, pixels.width, text.length, isBadUpload, code);

// @ts-expect-error: a path is not a file
Skin.decode("skin.png");
// @ts-expect-error: a promise has to be awaited
Skin.decode(Promise.resolve(new Uint8Array()));
// @ts-expect-error: a skin is decoded from a file
new Skin();
// @ts-expect-error: no parameter has this name
skin.figure({ poze: "walk" });
// @ts-expect-error: a size is a number
skin.figure({ size: "large" });
// @ts-expect-error: a size has a name
skin.figure(64);
// @ts-expect-error: a picture keeps its size
picture.width = 3;
