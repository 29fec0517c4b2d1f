// The types of effigy_wasm.js.

/** Loads the module, from its URL, a response or its bytes. */
export default function init(source: {
  module_or_path: string | URL | Request | Response | BufferSource | Promise<Response>;
}): Promise<unknown>;

/** Draws one player. */
export class Painter {
  /** Decodes a skin file. Without a model it is guessed. */
  constructor(file: Uint8Array, model?: "classic" | "slim" | null);
  /** True for the slim model. */
  readonly isSlim: boolean;
  /** The width of the last picture in pixels. */
  readonly width: number;
  /** True if the last picture was a moment of a movement, not a player who stands still. */
  readonly moves: boolean;
  /** Decodes the file of the player's cape. */
  setCape(file: Uint8Array): void;
  /** Sets the player's name. A few names change how a player looks. */
  setName(name: string): void;
  /** Draws a picture: straight RGBA. Takes `view` and the parameters of URLs, unescaped. */
  draw(parameters: string): ImageData["data"];
  /** Frees the memory. The painter can't be used any more. */
  free(): void;
}
