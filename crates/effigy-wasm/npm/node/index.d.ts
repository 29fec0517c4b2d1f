// The types of effigy-figure/node.

/** A `Buffer` if the types of Node.js are installed. */
type FileBytes = typeof globalThis extends { Buffer: { from(...values: never[]): infer B } }
  ? B & Uint8Array
  : Uint8Array;

type Model = "classic" | "slim";

/** One of these words. Other strings compile too, because users type them, and may fail. */
type Word<W extends string> = W | (string & {});

/** A name such as "red", or hexadecimal digits: "rgb", "rrggbb" or "rrggbbaa". */
type Color = string;

/** Degrees about the axes x, y and z. */
type Angles = readonly [number, number, number] | string;

/** The yaw and the pitch of a viewer, in degrees. */
type Direction = readonly [number, number] | string;

// From the table of parameters:
/** The views, and their other names. */
export type View =
    | "face" | "bust" | "body" | "body-back" | "body-left" | "body-right" | "combo" | "isohead"
    | "isobody" | "figure" | "portrait" | "cube" | "layout" | "head" | "player" | "avatar"
    | "iosbody" | "ioshead";

/** The parameters of URLs. One that is null or undefined has its default. */
export interface PictureSettings {
  /** The width in pixels, or the height of a combo. */
  size?: number | null;
  /** The part of a figure that the picture shows. */
  crop?: Word<"full" | "bust" | "head" | "content"> | null;
  /** The direction in which an isometric player looks. */
  facing?: Word<"left" | "right" | "back-left" | "back-right"> | null;
  /** The direction in which a figure, portrait or cube looks, in degrees. */
  yaw?: number | null;
  /** The height of the viewer of a figure, portrait or cube, in degrees. */
  pitch?: number | null;
  /** The field of view of a figure, portrait or cube, in degrees. */
  fov?: number | null;
  /** The pose of a figure, portrait or cube. */
  pose?: Word<
    | "stand" | "idle" | "straight" | "walk" | "run" | "march" | "wave" | "salute" | "point"
    | "cheer" | "arms-crossed" | "hands-on-hips" | "facepalm" | "think" | "shrug" | "sit"
    | "cross-legged" | "kneel" | "crouch" | "archer" | "lunge" | "kick" | "fight" | "read"
    | "trudge" | "cower" | "zombie" | "dance" | "dab" | "clap" | "throw" | "fly" | "recline"
    | "lie" | "faint"> | null;
  /** The moment of the pose's movement. */
  phase?: number | null;
  /** The rotation of the head, in degrees. */
  head?: Angles | null;
  /** The rotation of the torso with the cape, in degrees. */
  torso?: Angles | null;
  /** The rotation of the player's right arm, in degrees. */
  "right-arm"?: Angles | null;
  /** The rotation of the player's left arm, in degrees. */
  "left-arm"?: Angles | null;
  /** The rotation of the player's right leg, in degrees. */
  "right-leg"?: Angles | null;
  /** The rotation of the player's left leg, in degrees. */
  "left-leg"?: Angles | null;
  /** The rotation of the whole player about the hips, in degrees. */
  body?: Angles | null;
  /** The rotation of the upper body about the hips, in degrees. */
  waist?: Angles | null;
  /** The bend of the player's right elbow, in degrees. */
  "right-elbow"?: number | null;
  /** The bend of the player's left elbow, in degrees. */
  "left-elbow"?: number | null;
  /** The bend of the player's right knee, in degrees. */
  "right-knee"?: number | null;
  /** The bend of the player's left knee, in degrees. */
  "left-knee"?: number | null;
  /** Draw the player upside down. */
  "upside-down"?: boolean | null;
  /** The poses and directions that share one size in a figure, portrait or cube. */
  fit?: Word<"pose" | "turn" | "all"> | null;
  /** The light of a view that is not flat. */
  light?: Word<"none" | "soft" | "game"> | null;
  /** The direction of the soft light, relative to the player, in degrees. */
  "light-from"?: Direction | null;
  /** The player's cape, if there is one, or the angle between it and the back in degrees. */
  cape?: boolean | number | null;
  /** The elytra of the cape's file instead of the cape. */
  elytra?: boolean | null;
  /** The overlay: hat, jacket, sleeves and trousers. */
  overlay?: boolean | null;
  /** The player's model, which determines the width of the arms. */
  model?: Word<"classic" | "slim"> | null;
  /** The color behind the picture. */
  background?: Color | null;
  /** The distance from the edges in pixels, which adds to the size. */
  padding?: number | null;
  /** The shape of the picture. */
  shape?: Word<"square" | "rounded" | "circle"> | null;
  /** A soft shadow on the ground. */
  shadow?: boolean | null;
  /** The color of a line around the player, as on a sticker. */
  outline?: Color | null;
  /** The width of the outline in pixels, and at most a quarter of the size. */
  "outline-width"?: number | null;
  /** A moving picture of a player who turns around. */
  turn?: boolean | null;
  /** A moving picture of a player who moves as the pose does. */
  animate?: boolean | null;
}
// end of the table of parameters.

/** The reason for an error: a file that can't be decoded, a value, or a picture or file too large to make. */
export type ErrorCode = "invalid_skin" | "invalid_cape" | "invalid_request" | "picture_too_large";

/**
 * An error of a file or a value, which users may cause. Mistakes of a program, such as a path in
 * place of a file, are `TypeError`s without a code.
 */
export interface PictureError extends Error {
  readonly code: ErrorCode;
}

export interface SkinOptions {
  /** The model of the player's profile. Without one it is guessed from the file. */
  model?: Model | null;
  /** The PNG file of the player's cape. */
  cape?: ArrayBuffer | ArrayBufferView | null;
  /** The player's name. `Dinnerbone` and `Grumm` are upside down, and `deadmau5` has ears. */
  name?: string | null;
}

/** A player's skin, with the cape and the name that change how the player looks. */
export class Skin {
  /**
   * Decodes the PNG file of a skin.
   * @throws {TypeError} If a file is not a Buffer, a typed array or an ArrayBuffer.
   * @throws {PictureError} If a file or the model is invalid. The message says why.
   */
  static decode(file: ArrayBuffer | ArrayBufferView, options?: SkinOptions): Skin;
  private constructor();

  /** The model, as given or guessed. */
  readonly model: Model;

  /**
   * Returns a picture of a view that is known only at run time.
   * @throws {TypeError} If the parameters are not an object.
   * @throws {PictureError} If a word or a value is invalid. The message names the valid ones.
   */
  picture(view: Word<View>, parameters?: PictureSettings | URLSearchParams): Picture;
  /** The whole figure, from any side and in any pose: twice as high as wide. */
  figure(parameters?: PictureSettings | URLSearchParams): Picture;
  /** The upper part of the figure, from any side and in any pose. */
  portrait(parameters?: PictureSettings | URLSearchParams): Picture;
  /** The head, from any side. */
  cube(parameters?: PictureSettings | URLSearchParams): Picture;
  /** The whole figure from an upper corner. */
  isobody(parameters?: PictureSettings | URLSearchParams): Picture;
  /** The head from an upper corner. */
  isohead(parameters?: PictureSettings | URLSearchParams): Picture;
  /** The face from the front. */
  face(parameters?: PictureSettings | URLSearchParams): Picture;
  /** Another name of `face`. */
  head(parameters?: PictureSettings | URLSearchParams): Picture;
  /** The upper half of the figure from the front. */
  bust(parameters?: PictureSettings | URLSearchParams): Picture;
  /** The whole figure from the front: twice as high as wide. */
  body(parameters?: PictureSettings | URLSearchParams): Picture;
  /** Another name of `body`. */
  player(parameters?: PictureSettings | URLSearchParams): Picture;
  /** The whole figure from behind. */
  bodyBack(parameters?: PictureSettings | URLSearchParams): Picture;
  /** The player's left side. */
  bodyLeft(parameters?: PictureSettings | URLSearchParams): Picture;
  /** The player's right side. */
  bodyRight(parameters?: PictureSettings | URLSearchParams): Picture;
  /** The face with the whole figure to its right. */
  combo(parameters?: PictureSettings | URLSearchParams): Picture;
  /** The texture as the game wears it, in the modern layout. */
  layout(parameters?: PictureSettings | URLSearchParams): Picture;
}

/** A picture whose parameters are valid. It is drawn when its pixels or a file are asked for. */
export interface Picture {
  /** The width in pixels. */
  readonly width: number;
  /** The height in pixels. */
  readonly height: number;
  /** The pixels, row by row from the top left: red, green, blue and straight alpha. */
  readonly data: Uint8ClampedArray;
  /** Returns a PNG file. */
  toPng(): FileBytes;
  /** Returns an SVG file as text. */
  toSvg(): string;
  /**
   * Returns a moving PNG file: the player acts as the pose does, or turns around.
   * @throws {PictureError} If the view is not a figure, a portrait or a cube, or the size is over 512.
   */
  toApng(): FileBytes;
  /**
   * Returns a moving GIF file, which has at most 255 colors and hard edges.
   * @throws {PictureError} If the view is not a figure, a portrait or a cube, or the size is over 512.
   */
  toGif(): FileBytes;
}
