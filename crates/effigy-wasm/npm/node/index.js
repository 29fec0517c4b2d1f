// Minecraft players to pictures, drawn by this process: no server, no browser, no configuration.

import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { NodeSkin, initSync } from "./effigy_node.js";

initSync({ module: readFileSync(new URL("effigy_node_bg.wasm", import.meta.url)) });

/** A player's skin, with the cape and the name that change how the player looks. */
export class Skin {
  #skin;

  static decode(file, options) {
    return new Skin(file, options);
  }

  constructor(file, options = {}) {
    const { model, cape, name, ...unknown } = objectOf(options, "The options of a skin");
    const [other] = Object.keys(unknown);
    if (other !== undefined) {
      throw new TypeError(`A skin has no option "${other}". The options are model, cape and name`);
    }
    const skinFile = bytesOf(file, "a skin");
    const capeFile = isMissing(cape) ? undefined : bytesOf(cape, "a cape");
    this.#skin = new NodeSkin(skinFile, textOf(model), capeFile, textOf(name));
  }

  get model() {
    return this.#skin.model;
  }

  picture(view, parameters) {
    return new Picture(this.#skin, String(view), pairsOf(parameters));
  }

  figure(parameters) {
    return this.picture("figure", parameters);
  }

  portrait(parameters) {
    return this.picture("portrait", parameters);
  }

  cube(parameters) {
    return this.picture("cube", parameters);
  }

  isobody(parameters) {
    return this.picture("isobody", parameters);
  }

  isohead(parameters) {
    return this.picture("isohead", parameters);
  }

  face(parameters) {
    return this.picture("face", parameters);
  }

  head(parameters) {
    return this.picture("head", parameters);
  }

  bust(parameters) {
    return this.picture("bust", parameters);
  }

  body(parameters) {
    return this.picture("body", parameters);
  }

  player(parameters) {
    return this.picture("player", parameters);
  }

  bodyBack(parameters) {
    return this.picture("body-back", parameters);
  }

  bodyLeft(parameters) {
    return this.picture("body-left", parameters);
  }

  bodyRight(parameters) {
    return this.picture("body-right", parameters);
  }

  combo(parameters) {
    return this.picture("combo", parameters);
  }

  layout(parameters) {
    return this.picture("layout", parameters);
  }
}

/** A picture whose parameters are valid. It is drawn when its pixels or a file are asked for. */
class Picture {
  #skin;
  #view;
  #parameters;
  #pixels = null;

  constructor(skin, view, parameters) {
    this.#skin = skin;
    this.#view = view;
    this.#parameters = parameters;
    const [width, height] = skin.measure(view, parameters);
    this.width = width;
    this.height = height;
    Object.freeze(this);
  }

  get data() {
    this.#pixels ??= this.#skin.pixels(this.#view, this.#parameters);
    return this.#pixels;
  }

  toPng() {
    return bufferOf(this.#skin.file(this.#view, this.#parameters, "png"));
  }

  toSvg() {
    return bufferOf(this.#skin.file(this.#view, this.#parameters, "svg")).toString();
  }

  toApng() {
    return bufferOf(this.#skin.movingFile(this.#view, this.#parameters, "png"));
  }

  toGif() {
    return bufferOf(this.#skin.movingFile(this.#view, this.#parameters, "gif"));
  }
}

/** Returns the bytes of a file. Fails if it has no bytes, as a path or a promise. */
function bytesOf(file, kind) {
  if (file instanceof Uint8Array) return file;
  if (file instanceof ArrayBuffer) return new Uint8Array(file);
  if (ArrayBuffer.isView(file)) {
    return new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
  }
  const type = file?.constructor?.name ?? typeof file;
  const given = isMissing(file) ? String(file) : `a value of the type ${type}`;
  const expected = "a Buffer, a Uint8Array or an ArrayBuffer";
  throw new TypeError(`The file of ${kind} must be ${expected}, not ${given}`);
}

/** Returns an object, empty if it is missing. Anything else is a mistake, such as a size alone. */
function objectOf(given, name) {
  if (isMissing(given)) return {};
  if (typeof given !== "object") {
    throw new TypeError(`${name} must be an object, not ${inspect(given)}`);
  }
  return given;
}

/** Returns names and values alternately, which the module takes. Missing values are left out. */
function pairsOf(parameters) {
  const isQuery = parameters instanceof URLSearchParams;
  const object = objectOf(parameters, "The parameters of a picture");
  const entries = isQuery ? [...parameters] : Object.entries(object);
  const given = entries.filter(([, value]) => !isMissing(value));
  return given.flatMap(([name, value]) => [name, String(value)]);
}

function textOf(value) {
  return isMissing(value) ? undefined : String(value);
}

function isMissing(value) {
  return value === undefined || value === null;
}

/** Returns the same bytes as a Buffer, which many packages demand. */
function bufferOf(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
