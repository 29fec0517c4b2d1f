// The types of effigy-figure.js.

/** The value of an attribute. `true` sets it without a value; null and undefined remove it. */
type Value = string | number | boolean | null | undefined;
type Model = "classic" | "slim";
type SkinFile = Blob | Response | ArrayBuffer | ArrayLike<number>;

export interface EffigyFigureEventMap extends Omit<HTMLElementEventMap, "error"> {
  /**
   * No picture can be shown, and the message is the service's; or an attribute is not a number, and
   * its default is shown. The status is 0 without an answer of the service.
   */
  error: CustomEvent<{ status: number; message: string }>;
}

/** A player who turns under the finger. A service lists the attributes at `/docs#element`. */
export class EffigyFigure extends HTMLElement {
  static readonly observedAttributes: string[];

  get player(): string | null; set player(value: Value);
  get server(): string | null; set server(value: Value);
  get default(): string | null; set default(value: Value);
  get view(): string | null; set view(value: Value);
  // From the table of parameters:
  get size(): string | null; set size(value: Value);
  get crop(): string | null; set crop(value: Value);
  get facing(): string | null; set facing(value: Value);
  get fov(): string | null; set fov(value: Value);
  get pose(): string | null; set pose(value: Value);
  get phase(): string | null; set phase(value: Value);
  get head(): string | null; set head(value: Value);
  get torso(): string | null; set torso(value: Value);
  get "right-arm"(): string | null; set "right-arm"(value: Value);
  get "left-arm"(): string | null; set "left-arm"(value: Value);
  get "right-leg"(): string | null; set "right-leg"(value: Value);
  get "left-leg"(): string | null; set "left-leg"(value: Value);
  get body(): string | null; set body(value: Value);
  get waist(): string | null; set waist(value: Value);
  get "right-elbow"(): string | null; set "right-elbow"(value: Value);
  get "left-elbow"(): string | null; set "left-elbow"(value: Value);
  get "right-knee"(): string | null; set "right-knee"(value: Value);
  get "left-knee"(): string | null; set "left-knee"(value: Value);
  get "upside-down"(): string | null; set "upside-down"(value: Value);
  get fit(): string | null; set fit(value: Value);
  get light(): string | null; set light(value: Value);
  get "light-from"(): string | null; set "light-from"(value: Value);
  get cape(): string | null; set cape(value: Value);
  get elytra(): string | null; set elytra(value: Value);
  get overlay(): string | null; set overlay(value: Value);
  get model(): string | null; set model(value: Value);
  get background(): string | null; set background(value: Value);
  get padding(): string | null; set padding(value: Value);
  get shape(): string | null; set shape(value: Value);
  get shadow(): string | null; set shadow(value: Value);
  get outline(): string | null; set outline(value: Value);
  get "outline-width"(): string | null; set "outline-width"(value: Value);
  // end of the table of parameters.
  get zoomable(): string | null; set zoomable(value: Value);
  get turn(): string | null; set turn(value: Value);
  get loading(): string | null; set loading(value: Value);
  get label(): string | null; set label(value: Value);

  /** The current direction in degrees. At first, it is the one from which the pose is seen best. */
  get yaw(): number; set yaw(value: string | number | null | undefined);
  get pitch(): number; set pitch(value: string | number | null | undefined);
  /** From 1 to 4. */
  get zoom(): number; set zoom(value: string | number | null | undefined);

  /** Shows a skin file, which stays in the browser. Guesses a missing model. Returns the model. */
  show(file: SkinFile, model?: Model | null): Promise<Model>;
  /** Shows the player again, if the file is null. */
  show(file: SkinFile | null, model?: Model | null): Promise<Model | null>;
  /** Shows the picture inside again, or the file as it was before it was turned. */
  rest(): void;
  /** Loads the renderer and the player, so that pictures are drawn in the browser. */
  load(): Promise<void> | null;
  /** Draws a picture of the loaded player. Takes `view` and the parameters of URLs. */
  draw(parameters: string | URLSearchParams | Record<string, string>): ImageData;

  addEventListener<K extends keyof EffigyFigureEventMap>(
    type: K,
    listener: (this: EffigyFigure, event: EffigyFigureEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<K extends keyof EffigyFigureEventMap>(
    type: K,
    listener: (this: EffigyFigure, event: EffigyFigureEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | EventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "effigy-figure": EffigyFigure;
  }
}
