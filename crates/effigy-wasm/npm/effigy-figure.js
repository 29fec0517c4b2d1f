// A Minecraft player who turns under the finger: <effigy-figure player="Notch"></effigy-figure>.
//
// The element shows the `<img>` inside or, without one, the server's picture. When somebody begins to turn it, or `turn` asks
// for it, it loads the renderer, a WebAssembly module, and the player's skin, and from then on draws here what the server
// would send. Where that is not possible, it goes on with the server's pictures.

const SCRIPT = new URL("effigy_wasm.js", import.meta.url).href;
const MODULE = new URL("effigy_wasm_bg.wasm", import.meta.url).href;

/** The attributes that mean the same as the parameters of URLs. */
const PARAMETERS = ["pose", "phase", "fov", "fit", "light", "facing", "cape", "overlay", "background", "padding", "shape", "shadow"];
/** The attributes that choose the player. */
const PLAYER = ["player", "server", "model"];
const TURNING_VIEWS = ["figure", "portrait", "cube"];

const DEFAULT_WIDTH = 128;
const MAX_SIZE = 2048;
const [DEFAULT_YAW, DEFAULT_PITCH] = [25, 10];
const DEGREES_PER_PIXEL = 0.75;
const DEGREES_PER_SECOND = 45;
/** The speed of `turn="once"`. */
const DEGREES_PER_SECOND_ONCE = 180;
const DEGREES_PER_KEY = 15;
/** The steps between pictures of the server while a finger moves. */
const SERVER_STEP = 15;
/** The steps of angles. */
const STEP = 0.1;
/** The longest time without a picture while the renderer is loaded. */
const PATIENCE_MS = 3000;
/** A pointer that moves less than this many pixels clicks. */
const CLICK_PIXELS = 4;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const EVENTS = ["pointerdown", "pointermove", "pointerup", "pointercancel", "keydown", "dragstart"];

const STYLE = new CSSStyleSheet();
STYLE.replaceSync(`
  :host { display: inline-block; width: var(--width); user-select: none; }
  :host([role=slider]) { cursor: grab; touch-action: pan-y; }
  :host([role=slider]:active) { cursor: grabbing; }
  img, canvas, ::slotted(img) { display: block; width: 100%; height: auto; }
  :host([hidden]), [hidden] { display: none !important; }
`);

/** Keeps an angle between -180 and 180 degrees. */
const wrap = (degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;
const clamp = (degrees) => Math.min(90, Math.max(-90, degrees));
const rounded = (degrees, step) => Number((Math.round(degrees / step) * step).toFixed(1));

let renderer = null;
/** Loads the renderer, once for all figures. */
function loadRenderer() {
  renderer ??= import(SCRIPT).then(async (script) => {
    await script.default({ module_or_path: MODULE });
    return script.Painter;
  });
  return renderer;
}

async function download(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} responds with ${response.status}`);
  return response;
}

/** The bytes of a Blob, a response, an ArrayBuffer or an array of bytes. */
const bytes = async (from) => new Uint8Array(from.arrayBuffer ? await from.arrayBuffer() : from);

export class EffigyFigure extends HTMLElement {
  static observedAttributes = [...PLAYER, ...PARAMETERS, "view", "size", "yaw", "pitch", "turn", "label"];

  /** What is shown, one at a time: the page's picture, the server's, or what is drawn here. */
  #slot = document.createElement("slot");
  #image = document.createElement("img");
  #canvas = document.createElement("canvas");
  #yaw = DEFAULT_YAW;
  #pitch = DEFAULT_PITCH;
  /** The promise of a painter, once it is wanted. */
  #loading = null;
  /** Draws the player, once it is loaded. */
  #painter = null;
  /** The promise of a painter of the last file, and whether it is the one who draws. */
  #fitting = null;
  #isFile = false;
  /** Whether the server draws every side, because there is no painter, or not yet. */
  #isServed = false;
  /** The server's picture to show next, while another one is on its way. */
  #next = null;
  #isWaiting = false;
  /** The frame that is requested, and the time of the last one. */
  #frame = 0;
  #time = 0;
  #isVisible = false;
  /** The beginning of a drag, or null. */
  #grab = null;
  /** Whether somebody has turned the figure, which then no longer turns by itself. */
  #isTouched = false;
  /** Whether the figure is no longer as the picture inside has it. */
  #isTurned = false;
  /** The degrees that it has turned by itself. */
  #turned = 0;
  #visibility = new IntersectionObserver(([entry]) => {
    this.#isVisible = entry.isIntersecting;
    this.#update();
  });

  constructor() {
    super();
    this.#image.part = this.#canvas.part = "picture";
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [STYLE];
    root.append(this.#slot, this.#image, this.#canvas);
    this.#reveal(this.#slot);
    for (const type of EVENTS) this.addEventListener(type, this);
  }

  connectedCallback() {
    if (!this.hasAttribute("tabindex")) this.tabIndex = 0;
    this.#visibility.observe(this);
    this.#update();
  }

  disconnectedCallback() {
    this.#visibility.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  attributeChangedCallback(name, before, value) {
    const hasTurnedOnce = name === "turn" && before === "once" && !this.#isTouched && !this.#grab;
    if (name === "yaw" || hasTurnedOnce) this.#yaw = wrap(Number(this.getAttribute("yaw") ?? DEFAULT_YAW) || 0);
    if (name === "pitch") this.#pitch = clamp(Number(value ?? DEFAULT_PITCH) || 0);
    if (hasTurnedOnce) [this.#isTurned, this.#turned] = [false, 0];
    if (PLAYER.includes(name) && before !== value) this.#forget();
    this.#update();
  }

  /** The side from which the figure is seen, in degrees: 0 looks at the viewer, 90 to the right. */
  get yaw() {
    return this.#yaw;
  }

  set yaw(degrees) {
    this.#face(degrees, this.#pitch);
  }

  /** The height from which the figure is seen, in degrees: 90 is from above. */
  get pitch() {
    return this.#pitch;
  }

  set pitch(degrees) {
    this.#face(this.#yaw, degrees);
  }

  /**
   * Shows a skin file, a Blob or its bytes, which stays in the browser; with null, the player again. Without a model it is
   * guessed. Fails with an `Error` if the file is not a skin, and with one of another name if the renderer cannot be loaded.
   */
  async show(file, model) {
    const fitting = file && Promise.all([loadRenderer(), bytes(file)]).then(([Painter, skin]) => new Painter(skin, model));
    this.#fitting = fitting;
    const painter = fitting && (await fitting);
    if (this.#fitting !== fitting) {
      painter.free();
      throw new DOMException("Another player is shown", "AbortError");
    }
    this.#forget();
    if (painter) {
      this.#painter = painter;
      this.#loading = Promise.resolve();
      this.#isFile = this.#isTurned = true;
    }
    this.#update();
  }

  /** The model of the skin that is loaded, `classic` or `slim`. */
  get model() {
    return this.#painter && (this.#painter.isSlim ? "slim" : "classic");
  }

  /** Shows the picture inside again. */
  rest() {
    if (this.#grab) return;
    this.#isTurned = false;
    this.#update();
  }

  /** Loads what it takes to draw here, unless it is loaded. */
  load() {
    this.#load();
    return this.#loading;
  }

  /** Draws a picture of the player who is loaded: an ImageData. Its parameters are `view` and those of URLs. */
  draw(parameters) {
    const rest = new URLSearchParams(parameters);
    const [yaw, pitch] = [["yaw", this.#yaw], ["pitch", this.#pitch]].map(([name, angle]) => {
      const given = rest.get(name);
      rest.delete(name);
      return given === null ? angle : Number(given);
    });
    const pixels = this.#painter.draw(rest.toString(), yaw, pitch);
    return new ImageData(pixels, this.#painter.width);
  }

  handleEvent(event) {
    const handlers = {
      pointerdown: () => this.#press(event),
      pointermove: () => this.#drag(event),
      pointerup: () => this.#release(),
      pointercancel: () => this.#release(),
      keydown: () => this.#key(event),
      // A picture that is dragged away would end the turn.
      dragstart: () => event.preventDefault(),
    };
    handlers[event.type]();
  }

  #press(event) {
    if (event.button !== 0 || !event.isPrimary || !this.#turns) return;
    this.#grab = { x: event.clientX, y: event.clientY, yaw: this.#yaw, pitch: this.#pitch, moved: false };
    this.#load();
  }

  #drag(event) {
    const grab = this.#grab;
    if (!grab || !event.isPrimary) return;
    const [right, down] = [event.clientX - grab.x, event.clientY - grab.y];
    if (!grab.moved && Math.hypot(right, down) < CLICK_PIXELS) return;
    if (!grab.moved) this.setPointerCapture(event.pointerId);
    grab.moved = true;
    // A finger that moves up or down scrolls the page.
    const pitch = event.pointerType === "touch" ? grab.pitch : grab.pitch + down * DEGREES_PER_PIXEL;
    this.#turnTo(grab.yaw + right * DEGREES_PER_PIXEL, pitch);
  }

  #release() {
    const { moved } = this.#grab ?? {};
    this.#grab = null;
    if (!moved) return;
    this.#update();
    this.dispatchEvent(new Event("change", { bubbles: true }));
  }

  #key(event) {
    const step = KEYS[event.key];
    if (!step || !this.#turns || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.#load();
    this.#turnTo(this.#yaw + step[0] * DEGREES_PER_KEY, this.#pitch + step[1] * DEGREES_PER_KEY);
    this.dispatchEvent(new Event("change", { bubbles: true }));
  }

  #turnTo(yaw, pitch) {
    this.#isTouched = true;
    this.#face(yaw, pitch);
    this.dispatchEvent(new Event("input", { bubbles: true }));
  }

  #face(yaw, pitch) {
    [this.#yaw, this.#pitch] = [wrap(Number(yaw) || 0), clamp(Number(pitch) || 0)];
    this.#isTurned = true;
    this.#update();
  }

  /** Whether there is somebody to be seen from every side. */
  get #turns() {
    return TURNING_VIEWS.includes(this.#view) && Boolean(this.#player || this.#painter);
  }

  get #turnsItself() {
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    return this.hasAttribute("turn") && this.#turns && this.#isVisible && !this.#isTouched && !isStill;
  }

  /** The page's picture, if the figure is as it has it. */
  get #rests() {
    return !this.#isTurned && !this.#turnsItself && this.querySelector("img");
  }

  get #view() {
    return this.getAttribute("view") ?? "figure";
  }

  get #player() {
    return this.getAttribute("player");
  }

  get #label() {
    return this.getAttribute("label") ?? this.querySelector("img")?.alt ?? this.#player ?? "Figure";
  }

  get #width() {
    return Number(this.getAttribute("size")) || DEFAULT_WIDTH;
  }

  /** The pixels of the picture per CSS pixel. */
  get #density() {
    return Math.min(devicePixelRatio, MAX_SIZE / this.#width);
  }

  /** The parameters of the picture, as URLs have them. */
  #parameters(step) {
    const parameters = new URLSearchParams({ size: Math.max(1, Math.round(this.#width * this.#density)) });
    for (const name of PARAMETERS) {
      if (this.hasAttribute(name)) parameters.set(name, this.getAttribute(name));
    }
    const padding = Math.round(parameters.get("padding") * this.#density);
    if (padding) parameters.set("padding", padding);
    if (this.#turns) {
      // So that the figure keeps its size while it turns.
      if (!parameters.has("fit")) parameters.set("fit", "turn");
      parameters.set("yaw", rounded(this.#yaw, step));
      parameters.set("pitch", rounded(this.#pitch, step));
    }
    return parameters;
  }

  /** The URL of something about the player at the server. */
  #url(kind, parameters = "") {
    const url = new URL(`/v1/${kind}/${encodeURIComponent(this.#player)}`, this.getAttribute("server") ?? import.meta.url);
    url.search = parameters;
    return url.href;
  }

  /** Shows one of the pictures. */
  #reveal(shown) {
    for (const picture of [this.#slot, this.#image, this.#canvas]) picture.hidden = picture !== shown;
  }

  /** Shows the picture as it is to be seen now. */
  #update() {
    if (!this.isConnected) return;
    const turns = this.#turns;
    this.role = turns ? "slider" : "img";
    this.ariaLabel = this.#label;
    this.ariaValueMin = turns ? "-180" : null;
    this.ariaValueMax = turns ? "180" : null;
    this.ariaValueNow = turns ? String(Math.round(this.#yaw)) : null;
    this.style.setProperty("--width", `${this.#width}px`);
    if (this.#turnsItself) this.#load();
    if (this.#rests) this.#reveal(this.#slot);
    else if (this.#painter) this.#frame ||= requestAnimationFrame((time) => this.#animate(time));
    else this.#serve();
  }

  /** Draws a frame. */
  #animate(time) {
    const elapsed = this.#frame ? time - this.#time : 0;
    this.#frame = 0;
    this.#time = time;
    if (!this.#painter || this.#rests) return;
    if (this.#turnsItself) {
      const isOnce = this.getAttribute("turn") === "once";
      // A page that was in the background goes on where it was.
      const degrees = (Math.min(elapsed, 100) / 1000) * (isOnce ? DEGREES_PER_SECOND_ONCE : DEGREES_PER_SECOND);
      this.#isTurned = true;
      this.#turned += degrees;
      this.#yaw = wrap(this.#yaw + degrees);
      if (isOnce && this.#turned >= 360) return this.removeAttribute("turn");
      this.#frame = requestAnimationFrame((next) => this.#animate(next));
    }
    const parameters = this.#parameters(STEP);
    parameters.set("view", this.#view);
    let image;
    try {
      image = this.draw(parameters.toString());
    } catch {
      if (this.#isFile) return;
      // The server says what is wrong, or draws what is drawn only there.
      this.#painter.free();
      this.#painter = null;
      this.#isServed = true;
      this.#serve();
      return;
    }
    [this.#canvas.width, this.#canvas.height] = [image.width, image.height];
    this.#canvas.getContext("2d").putImageData(image, 0, 0);
    // A padding adds to the size.
    this.style.setProperty("--width", `${image.width / this.#density}px`);
    this.#reveal(this.#canvas);
  }

  /** Shows the server's picture. One is requested at a time, and the last one stays until the next has arrived. */
  async #serve() {
    if (!this.#player) return;
    const image = this.#image;
    image.alt = this.#label;
    if (!this.querySelector("img")) this.#reveal(image);
    this.#next = this.#url(this.#view, this.#parameters(this.#grab ? SERVER_STEP : STEP));
    if (this.#isWaiting || (this.#loading && !this.#isServed)) return;
    this.#isWaiting = true;
    while (this.#next) {
      const url = this.#next;
      this.#next = null;
      if (image.src !== url) {
        if (!image.src) image.src = url;
        const arriving = new Image();
        arriving.src = url;
        const hasArrived = await arriving.decode().then(() => true, () => false);
        if (hasArrived || !image.complete) image.src = url;
      }
      if (!this.#painter && !this.#rests) this.#reveal(image);
    }
    this.#isWaiting = false;
  }

  /** Begins to load the renderer and the player. */
  #load() {
    if (this.#loading || !this.#player) return;
    const loading = this.#prepare().then(
      (painter) => {
        if (this.#loading === loading) this.#painter = painter;
        else painter.free();
      },
      () => {
        if (this.#loading === loading) this.#isServed = true;
      },
    ).then(() => this.#update());
    this.#loading = loading;
    // On slow networks the server draws until the renderer has arrived.
    setTimeout(() => {
      if (this.#loading !== loading || this.#painter) return;
      this.#isServed = true;
      this.#update();
    }, PATIENCE_MS);
  }

  /** Loads the renderer, and the player's skin, cape and name. */
  async #prepare() {
    const [Painter, skin, profile] = await Promise.all([
      loadRenderer(),
      download(this.#url("skin")).then(bytes),
      download(this.#url("profile")).then((response) => response.json()),
    ]);
    const painter = new Painter(skin, this.getAttribute("model") ?? profile.model);
    painter.setName(profile.name ?? "");
    if (profile.cape_url) {
      const cape = await download(this.#url("cape")).catch(() => null);
      if (cape) painter.setCape(await bytes(cape));
    }
    return painter;
  }

  /** Forgets the player who is drawn. */
  #forget() {
    this.#painter?.free();
    this.#painter = this.#loading = this.#next = this.#fitting = null;
    this.#isServed = this.#isTurned = this.#isFile = false;
  }
}

customElements.define("effigy-figure", EffigyFigure);
