// A Minecraft player who turns under the finger: <effigy-figure player="Notch"></effigy-figure>.
//
// The element shows the `<img>` inside or, without one, the server's picture. When somebody begins to turn it, or `turn` or
// `animate` asks for it, it loads the renderer, a WebAssembly module, and the player's skin, and from then on draws here what
// the server would send. Where that is not possible, it goes on with the server's pictures. Without a picture of this player
// it is a silhouette, never another player.

/** The service that this script is from: it is below `v1/` or `assets/`. */
const SERVICE = new URL("..", import.meta.url).href;
const SCRIPT = new URL("effigy_wasm.js", import.meta.url).href;
const MODULE = new URL("effigy_wasm_bg.wasm", import.meta.url).href;

// From the table of parameters:
/** The attributes that are parameters of URLs. */
const PARAMETERS = [
  "size", "crop", "facing", "yaw", "pitch", "fov", "pose", "phase", "head", "torso", "right-arm",
  "left-arm", "right-leg", "left-leg", "body", "waist", "right-elbow", "left-elbow", "right-knee",
  "left-knee", "upside-down", "fit", "light", "light-from", "cape", "elytra", "overlay", "model",
  "background", "padding", "shape", "shadow", "outline", "outline-width",
];
const TURNING_VIEWS = ["figure", "portrait", "cube"];
const DEFAULT_WIDTH = 128;
const DEFAULT_YAW = 25;
const DEFAULT_PITCH = 16;
const MAX_SIZE = 2048;
const MAX_PADDING = 256;
const MAX_OUTLINE = 32;
/** The sides from which some poses are seen best: yaw and pitch. */
const SIDES = {
  "run": [60, 12],
  "running": [60, 12],
  "sprinting": [60, 12],
  "march": [40, 14],
  "marching": [40, 14],
  "salute": [-20, 14],
  "saluting": [-20, 14],
  "archer": [65, 12],
  "archery": [65, 12],
  "lunge": [60, 12],
  "lunging": [60, 12],
  "kick": [40, 14],
  "kicking": [40, 14],
  "trudge": [45, 12],
  "trudging": [45, 12],
  "zombie": [45, 14],
  "dab": [10, 12],
  "dabbing": [10, 12],
  "throw": [40, 14],
  "throwing": [40, 14],
  "fly": [50, 4],
  "flying": [50, 4],
  "recline": [40, 18],
  "relaxing": [40, 18],
  "reclining": [40, 18],
  "lie": [60, 28],
  "sleeping": [60, 28],
  "lying": [60, 28],
  "faint": [40, 40],
  "dead": [40, 40],
  "fainting": [40, 40],
};
// end of the table of parameters.
/** The parameters that are not passed on as the attributes have them. */
const OWN = ["size", "yaw", "pitch"];
/** The attributes that choose the player. */
const PLAYER = ["player", "server", "default"];

const DEFAULTS = { yaw: DEFAULT_YAW, pitch: DEFAULT_PITCH, zoom: 1 };
/** The attributes that decide on the side from which a pose is seen best. */
const POSING = ["pose", "animate", "view"];
/** Matches the hash of a texture, which may be in the place of a player. */
const HASH = /^[0-9a-f]{56,64}$/i;
const MAX_ZOOM = 4;
/** The pixels of a wheel that double the size. */
const WHEEL_PIXELS = 400;
const DEGREES_PER_PIXEL = 0.75;
const DEGREES_PER_SECOND = 45;
/** The speed of `turn="once"`. */
const DEGREES_PER_SECOND_ONCE = 180;
/** The steps between pictures of the server while a finger moves. */
const SERVER_STEP = 15;
/** The steps of angles. */
const STEP = 0.1;
/** The longest time without a picture while the renderer is loaded. */
const PATIENCE_MS = 3000;
/** The distance from the window in which a picture is loaded. */
const NEAR = "400px";
/** A pointer that moves less than this many pixels clicks. */
const CLICK_PIXELS = 4;
const KEYS = {
  ArrowLeft: { yaw: -15 }, ArrowRight: { yaw: 15 }, ArrowUp: { pitch: -15 }, ArrowDown: { pitch: 15 },
  "+": { zoom: 0.25 }, "-": { zoom: -0.25 },
};
/** Servers that import the module have none of a browser. */
const STILL = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");
/** Tells of a change of `devicePixelRatio`: the page is zoomed, or on another screen. */
const SCREEN = new EventTarget();
function watchScreen() {
  const same = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
  same.addEventListener("change", () => {
    watchScreen();
    SCREEN.dispatchEvent(new Event("change"));
  }, { once: true });
}
if (STILL) watchScreen();

const SVG = "http://www.w3.org/2000/svg";
const [WHOLE, CHEST, HEAD] = ["0 0 16 32", "0 0 16 16", "4 0 8 8"];
/** A player at rest: the head, the body, and the arms and legs a little apart from it. */
const SILHOUETTE = "M4.2.2h7.6v7.6H4.2zM4.3 8.2h7.4v11.6H4.3zM3.9 8.3v3.3L3 19.9H0L1 8.3zM12.1 8.3v3.3l.9 8.3h3L15 8.3z"
  + "M4.3 20.2h3.5L7.6 32H3.9zM8.2 20.2h3.5L12.1 32H8.4z";
/** The parts of the silhouette for views that are not of the whole player. */
const BOXES = {
  portrait: CHEST, bust: CHEST, cube: HEAD, isohead: HEAD, ioshead: HEAD, face: HEAD, head: HEAD, combo: "-16 0 48 32",
};

/** The first two rules are those that change. */
const STYLE = `
  :host { display: inline-block; width: var(--width); user-select: none; }
  :host(:active) {}
  img, canvas, svg, ::slotted(img) { display: block; width: 100%; height: auto; scale: var(--zoom); }
  img, canvas, svg, ::slotted(img) { max-height: 100%; object-fit: contain; }
  svg { fill: currentcolor; opacity: 0.2; }
  :host([hidden]), [hidden] { display: none !important; }
`;

/** Keeps an angle between -180 and 180 degrees. */
const wrap = (degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;
const clamp = (value, min, max) => Math.min(max, Math.max(min, value));
/** The distance of two fingers. */
const apart = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
const rounded = (degrees, step) => Number((Math.round(degrees / step) * step).toFixed(1));

/** The side from which a figure is seen, in words. */
function inWords({ yaw, pitch }) {
  const [side, height] = [yaw, pitch].map((angle) => Math.round(Math.abs(angle)));
  const turned = `${side} degrees to the ${yaw > 0 ? "right" : "left"}`;
  const from = { 0: "from the front", 180: "from behind" }[side] ?? turned;
  return height ? `${from}, ${height} degrees from ${pitch > 0 ? "above" : "below"}` : from;
}

let renderer = null;
/** Loads the renderer, once for all figures. */
function loadRenderer() {
  renderer ??= import(SCRIPT).then(async (script) => {
    await script.default({ module_or_path: MODULE });
    return script.Painter;
  });
  return renderer;
}

/** A response. Fails with the status and the message of the server, or of nobody. */
async function download(url) {
  const response = await fetch(url).catch(() => null);
  if (response?.ok) return response;
  const body = await response?.json().catch(() => null);
  const message = body?.error ?? "The server cannot be reached";
  throw Object.assign(new Error(message), { status: response?.status ?? 0 });
}

/** The bytes of a Blob, a response, an ArrayBuffer or an array of bytes. */
const bytes = async (from) => new Uint8Array(from.arrayBuffer ? await from.arrayBuffer() : from);

export class EffigyFigure extends (globalThis.HTMLElement ?? Object) {
  static observedAttributes = [
    ...PLAYER, ...PARAMETERS, "view", "zoom", "zoomable", "turn", "animate", "loading", "label",
  ];

  /** The pictures, shown one at a time: the page's, the server's, the one drawn here, or nobody. */
  #slot = document.createElement("slot");
  #image = document.createElement("img");
  #canvas = document.createElement("canvas");
  #silhouette = document.createElementNS(SVG, "svg");
  /** The reason why nobody is shown, for those who point at the silhouette. */
  #reason = document.createElementNS(SVG, "title");
  #shown = null;
  /** The texts for assistive technology, unless the page has its own. */
  #internals = this.attachInternals();
  /** The rules of the element and of the pressed one. Its attribute `style` is the page's. */
  #rules = [];
  /** True if the element has made itself a stop of the Tab key. */
  #isStop = false;
  /** The yaw, pitch and zoom as they are now. */
  #side = DEFAULTS;
  /** The promise of a painter, once it is wanted. */
  #loading = null;
  /** Draws the player, once it is loaded. */
  #painter = null;
  /** The promise of a painter of the last file, and whether it is the one who draws. */
  #fitting = null;
  #isFile = false;
  /** True while the server draws, because no painter is there that can draw this. */
  #isServed = false;
  /** The server's picture to show next, while another one is on its way. */
  #next = null;
  #isWaiting = false;
  /** The URL that the server has answered last, and the message if that was an error. */
  #answered = null;
  #failure = null;
  /** The page's picture of the player before. */
  #former = null;
  /** The URL of the page's picture before the changes of now. */
  #seen = "";
  /** Counts the players, so that no picture comes too late. */
  #players = 0;
  /** The promise of the next {@link #show}. */
  #due = null;
  /** The frame that is requested, and the time of the last one. */
  #frame = 0;
  #time = 0;
  #isVisible = false;
  #isNear = false;
  /** The beginning of a drag, or null. */
  #grab = null;
  /** True if the next click ends a turn. */
  #hasDragged = false;
  /** The places of fingers by their ids, and the beginning of a pinch. */
  #fingers = new Map();
  #pinch = null;
  /** True after somebody has turned the figure, which then no longer turns by itself. */
  #isTouched = false;
  /** True if the figure is no longer as the picture inside, or that of the file, shows it. */
  #isTurned = false;
  /** The degrees that it has turned by itself, and the milliseconds for which its limbs have moved. */
  #turned = 0;
  #moved = 0;
  #observers = [NEAR, "0px"].map((rootMargin) => new IntersectionObserver((entries) => {
    const { isIntersecting } = entries.at(-1);
    if (rootMargin === NEAR) this.#isNear ||= isIntersecting;
    else this.#isVisible = isIntersecting;
    this.#update();
  }, { rootMargin }));

  // Each attribute is a property as well. `animate` stays the method of every element for those who read it.
  static {
    for (const name of this.observedAttributes) {
      const method = this.prototype[name];
      Object.defineProperty(this.prototype, name, {
        configurable: true,
        enumerable: true,
        get() {
          return method ?? (name in DEFAULTS ? this.#side[name] : this.getAttribute(name));
        },
        set(value) {
          if (name in DEFAULTS) this.#face({ [name]: value });
          else if ((value ?? null) === null) this.removeAttribute(name);
          else this.setAttribute(name, value === true ? "" : value);
        },
      });
    }
  }

  constructor() {
    super();
    const shape = document.createElementNS(SVG, "path");
    shape.setAttribute("d", SILHOUETTE);
    this.#silhouette.append(this.#reason, shape);
    const root = this.attachShadow({ mode: "open" });
    this.adoptedCallback();
    root.append(this.#slot, this.#image, this.#canvas, this.#silhouette);
    for (const picture of [this.#image, this.#canvas, this.#silhouette]) picture.part = "picture";
    this.#reveal(this.#slot);
    for (const type in this.#handlers) this.addEventListener(type, this.#handlers[type]);
    this.#slot.addEventListener("slotchange", this.#handlers.change);
    const see = () => (this.#seen = this.querySelector("img")?.src ?? "");
    see();
    new MutationObserver(see).observe(this, { subtree: true, childList: true, attributeFilter: ["src"] });
    // A picture inside that cannot be loaded is not shown. Its events do not bubble.
    for (const type of ["load", "error"]) this.addEventListener(type, ({ target }) => target !== this && this.#update(), true);
    this.addEventListener("click", (event) => {
      if (this.#hasDragged) event.preventDefault();
      this.#hasDragged = false;
    }, true);
  }

  connectedCallback() {
    // Properties that a script has set before this element was defined.
    for (const name of EffigyFigure.observedAttributes.filter((name) => Object.hasOwn(this, name))) {
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    for (const observer of this.#observers) observer.observe(this);
    for (const source of [STILL, SCREEN]) source.addEventListener("change", this.#handlers.change);
    this.#update();
  }

  /** Gives the element a style sheet of its document. One without a window has none. */
  adoptedCallback() {
    const { CSSStyleSheet } = this.ownerDocument.defaultView ?? {};
    if (!CSSStyleSheet) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.shadowRoot.adoptedStyleSheets = [sheet];
    this.#rules = [...sheet.cssRules].slice(0, 2).map((rule) => rule.style);
  }

  disconnectedCallback() {
    for (const observer of this.#observers) observer.disconnect();
    for (const source of [STILL, SCREEN]) source.removeEventListener("change", this.#handlers.change);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#grab = this.#pinch = null;
    this.#fingers.clear();
  }

  attributeChangedCallback(name, before, value) {
    if (before === value) return;
    const hasTurnedOnce = name === "turn" && before === "once" && !this.#isTouched && !this.#grab;
    if (name in DEFAULTS) this.#aim({ [name]: value });
    if (hasTurnedOnce) this.#aim({ yaw: this.getAttribute("yaw") });
    if (hasTurnedOnce) [this.#isTurned, this.#turned] = [false, 0];
    if (POSING.includes(name) && !this.#isTurned) {
      this.#aim({ yaw: this.getAttribute("yaw"), pitch: this.getAttribute("pitch") });
    }
    if (PLAYER.includes(name)) {
      if (before !== null) this.#former = this.#seen;
      this.#forget();
    }
    // A picture that could not be drawn before may be possible now.
    if (this.#painter) this.#isServed = false;
    if (this.#failure) this.#failure = this.#answered = null;
    this.#update();
  }

  /**
   * Shows a skin file, a Blob or its bytes, which stays in the browser; with null, the player again. Without a model it is
   * guessed. Returns the model. Fails with an `Error` if the file is not a skin, and with one of another name if the renderer cannot be loaded.
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
      this.#isFile = true;
    }
    this.#update();
    return painter && (painter.isSlim ? "slim" : "classic");
  }

  /** Shows the picture inside again, or the file as its picture is. */
  rest() {
    if (this.#grab) return;
    this.#isTurned = false;
    // A picture that could not be loaded may come now.
    if (this.#failure) this.#failure = this.#answered = null;
    this.#update();
  }

  /** Draws a picture of the player who is loaded: an ImageData. Its parameters are `view` and those of URLs. */
  draw(parameters) {
    // The painter knows no escapes.
    const pairs = [...new URLSearchParams(parameters)].map(([name, value]) => `${name}=${value.trim()}`);
    return new ImageData(this.#painter.draw(pairs.join("&")), this.#painter.width);
  }

  #release = (event) => {
    this.#fingers.delete(event.pointerId);
    const hasMoved = this.#grab?.moved || this.#pinch;
    this.#hasDragged = Boolean(hasMoved);
    this.#grab = this.#pinch = null;
    if (!hasMoved) return;
    this.#update();
    this.#tell("change");
  };

  #handlers = {
    pointerdown: (event) => {
      this.#hasDragged = false;
      // Two fingers zoom, the page or the figure, and turn nothing.
      if (this.#grab && !event.isPrimary) this.#release(event);
      if (event.pointerType === "touch" && this.#isOn("zoomable")) {
        this.#fingers.set(event.pointerId, event);
        if (this.#fingers.size === 2) this.#pinch = { apart: apart(this.#fingers.values()), zoom: this.zoom };
      }
      if (event.button !== 0 || !event.isPrimary || !this.#canTurn) return;
      this.#grab = { x: event.clientX, y: event.clientY, ...this.#side, moved: false };
      // Its end is told wherever it is.
      this.setPointerCapture(event.pointerId);
      this.load();
    },
    pointermove: (event) => {
      if (this.#fingers.has(event.pointerId)) this.#fingers.set(event.pointerId, event);
      const pinch = this.#pinch;
      if (pinch) return this.#turnTo({ zoom: (pinch.zoom * apart(this.#fingers.values())) / pinch.apart });
      const grab = this.#grab;
      if (!grab || !event.isPrimary) return;
      const [right, down] = [event.clientX - grab.x, event.clientY - grab.y];
      if (!grab.moved && Math.hypot(right, down) < CLICK_PIXELS) return;
      grab.moved = true;
      // A finger that moves up or down scrolls the page.
      const pitch = event.pointerType === "touch" ? grab.pitch : grab.pitch + down * DEGREES_PER_PIXEL;
      this.#turnTo({ yaw: grab.yaw + right * DEGREES_PER_PIXEL, pitch });
    },
    pointerup: this.#release,
    pointercancel: this.#release,
    keydown: (event) => {
      const [[name, step]] = Object.entries(KEYS[event.key] ?? { none: 0 });
      const resets = event.key === "Home" && (this.#canTurn || this.#canZoom);
      const isMeant = resets || (step && (name === "zoom" ? this.#canZoom : this.#canTurn));
      if (!isMeant || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      if (resets) return this.#tell("dblclick");
      this.#turnTo({ [name]: this.#side[name] + step });
      this.#tell("change");
    },
    dblclick: () => {
      for (const name in DEFAULTS) this.#aim({ [name]: this.getAttribute(name) });
      this.#isTurned = this.#isTouched = false;
      this.#update();
      this.#tell("input");
      this.#tell("change");
    },
    change: () => this.#update(),
    // A picture that is dragged away would end the turn.
    dragstart: (event) => event.preventDefault(),
  };

  #wheel = (event) => {
    event.preventDefault();
    this.#turnTo({ zoom: this.zoom * 2 ** (-event.deltaY / WHEEL_PIXELS) });
    this.#tell("change");
  };

  /** The side from which the pose is seen best. */
  get #bestSide() {
    const pose = (this.#movement || this.pose || "").trim().toLowerCase();
    // A head looks the same way in every pose.
    const hasOwn = this.#view !== "cube" && Object.hasOwn(SIDES, pose);
    return hasOwn ? SIDES[pose] : [DEFAULT_YAW, DEFAULT_PITCH];
  }

  #aim(side) {
    const { yaw, pitch, zoom } = { ...this.#side, ...side };
    const [bestYaw, bestPitch] = this.#bestSide;
    this.#side = {
      yaw: wrap(Number(yaw ?? bestYaw) || 0),
      pitch: clamp(Number(pitch ?? bestPitch) || 0, -90, 90),
      zoom: clamp(Number(zoom) || DEFAULTS.zoom, 1, MAX_ZOOM),
    };
  }

  #tell(type) {
    this.dispatchEvent(new Event(type, { bubbles: true }));
  }

  /** Turns or zooms the figure for somebody. */
  #turnTo(side) {
    this.load();
    this.#isTouched = true;
    this.#face(side);
    this.#tell("input");
  }

  #face(side) {
    this.#aim(side);
    this.#isTurned = true;
    this.#update();
  }

  /** True if there is somebody who can be seen from every side. */
  get #turns() {
    return TURNING_VIEWS.includes(this.#view) && Boolean(this.player || this.#painter);
  }

  /** True if somebody is there who turns when asked to. */
  get #canTurn() {
    return this.#turns && !this.#failure;
  }

  get #canZoom() {
    return this.#isOn("zoomable") && !this.#failure;
  }

  get #turnsItself() {
    return this.#isOn("turn") && !this.#isTouched;
  }

  /** The pose whose movement is shown, if one is. */
  get #movement() {
    return this.#isOn("animate") && this.#turns && (this.getAttribute("animate") || this.pose || "idle");
  }

  /** True while the figure moves by itself, which has to be welcome and visible. */
  get #moves() {
    return (this.#turnsItself || this.#movement) && this.#canTurn && this.#isVisible && !STILL.matches;
  }

  /** The page's picture, if there is one of this player. */
  get #own() {
    const inside = this.querySelector("img");
    return inside?.src === this.#former ? null : inside;
  }

  /** The same, unless it cannot be loaded, or may still be that of the player before. */
  get #inside() {
    const inside = this.#own;
    return (inside?.complete ? inside.naturalWidth : this.#former === null) ? inside : null;
  }

  /** True if the figure is as the page has it. */
  get #rests() {
    return this.#inside && !this.#isFile && !this.#isTurned && !(this.#moves && this.#painter);
  }

  /** Returns true if an attribute is there that is not "false". */
  #isOn(name) {
    return this.hasAttribute(name) && this.getAttribute(name) !== "false";
  }

  get #view() {
    return this.view ?? "figure";
  }

  get #width() {
    return this.size > 0 ? clamp(Number(this.size), 1, MAX_SIZE) : DEFAULT_WIDTH;
  }

  /** The pixels of the picture per CSS pixel. While it moves, a zoom makes it no sharper. */
  get #density() {
    // A padding that no picture has is left to the server, which says so.
    const most = Math.max(1, MAX_PADDING / (Number(this.padding) || 1));
    return Math.min(devicePixelRatio * (this.#moves || this.#grab ? 1 : this.zoom), MAX_SIZE / this.#width, most);
  }

  /** The parameters of the picture, as URLs have them. */
  #parameters(step) {
    const parameters = new URLSearchParams({ size: Math.max(1, Math.round(this.#width * this.#density)) });
    for (const name of PARAMETERS) {
      if (this.hasAttribute(name) && !OWN.includes(name)) parameters.set(name, this.getAttribute(name));
    }
    const padding = Math.round(parameters.get("padding") * this.#density);
    if (padding) parameters.set("padding", padding);
    const line = Number(parameters.get("outline-width"));
    // A width that no outline has is left to the server, which says so.
    if (line >= 1 && line <= MAX_OUTLINE) {
      parameters.set("outline-width", Math.min(Math.round(line * this.#density) || 1, MAX_OUTLINE));
    }
    if (this.#movement) parameters.set("pose", this.#movement);
    if (this.#turns) {
      // So that the figure keeps its size while it turns. A file that rests is as its picture.
      const isFitted = parameters.has("fit") || (this.#isFile && !this.#isTurned);
      if (!isFitted) parameters.set("fit", "turn");
      for (const name of ["yaw", "pitch"]) parameters.set(name, rounded(this.#side[name], step));
    }
    return parameters;
  }

  /** The URL of something about the player at the server. */
  #url(kind, parameters = new URLSearchParams()) {
    if (kind !== "profile" && kind !== "cape" && this.hasAttribute("default")) {
      parameters.set("default", this.default);
    }
    const service = new URL((this.server ?? SERVICE).replace(/\/*$/, "/"), document.baseURI);
    const url = new URL(`v1/${kind}/${encodeURIComponent(this.player)}`, service);
    url.search = parameters;
    return url.href;
  }

  /** Shows one of the pictures. */
  #reveal(shown) {
    this.#shown = shown;
    for (const picture of this.shadowRoot.children) picture.toggleAttribute("hidden", picture !== shown);
  }

  /** Updates the picture, once for all changes of this moment. */
  #update() {
    this.#due ??= Promise.resolve().then(() => {
      this.#due = null;
      if (this.isConnected) this.#show();
    });
  }

  #show() {
    this.#describe();
    const [style] = this.#rules;
    style.setProperty("--zoom", this.zoom);
    style.overflow = this.zoom > 1 ? "clip" : "";
    this.#silhouette.setAttribute("viewBox", BOXES[this.#view] ?? WHOLE);
    // A listener of wheels slows scrolling down.
    if (this.#isOn("zoomable")) this.addEventListener("wheel", this.#wheel, { passive: false });
    else this.removeEventListener("wheel", this.#wheel);
    if (this.#moves) this.load();
    if (this.#rests) this.#reveal(this.#slot);
    else if (this.#painter && !this.#isServed) this.#frame ||= requestAnimationFrame((time) => this.#animate(time));
    else this.#serve();
    if (this.#shown === this.#slot || this.#shown === this.#silhouette) this.#fit();
  }

  /** Sets the width in CSS pixels: that of a picture, to which a padding and a shape add, or of what is there without one. */
  #fit(width) {
    const inside = this.#shown === this.#slot ? this.#inside : null;
    this.#rules[0].setProperty("--width", `${width ?? (Number(inside?.getAttribute("width")) || this.#width)}px`);
  }

  /** Shows the server's picture from a URL. */
  #present({ naturalWidth }, url) {
    // It is 0 while a picture that has been shown is decoded once more.
    if (naturalWidth) this.#fit((naturalWidth * this.#width) / new URL(url).searchParams.get("size"));
    this.#reveal(this.#image);
  }

  /** Tells assistive technology who is shown, and from where; and everybody what can be done. */
  #describe() {
    const turns = this.#canTurn;
    const label = this.label || this.#own?.alt || this.player || "Figure";
    const [min, max, now, text] = turns ? ["-180", "180", String(Math.round(this.#side.yaw)), inWords(this.#side)] : [];
    Object.assign(this.#internals, {
      role: turns ? "slider" : "img",
      ariaLabel: this.#failure ? `${label}: ${this.#failure}` : label,
      ariaValueMin: min, ariaValueMax: max, ariaValueNow: now, ariaValueText: text,
    });
    this.#reason.textContent = this.#failure ? `${label}: ${this.#failure}` : "";
    const [style, pressed] = this.#rules;
    style.cursor = turns ? "grab" : "";
    pressed.cursor = turns ? "grabbing" : "";
    style.touchAction = this.#canZoom ? "pan-y" : turns ? "pan-y pinch-zoom" : "";
    // Who has the focus keeps it.
    const isStop = turns || this.#canZoom || (this.#isStop && this.getRootNode().activeElement === this);
    if (isStop === this.#isStop || (isStop && this.hasAttribute("tabindex"))) return;
    this.#isStop = isStop;
    if (isStop) this.tabIndex = 0;
    else this.removeAttribute("tabindex");
  }

  /** Draws a frame. */
  #animate(time) {
    // A page that was in the background goes on where it was.
    const milliseconds = Math.min(time - this.#time, 100);
    this.#frame = 0;
    this.#time = time;
    if (!this.#painter || this.#rests) return;
    if (this.#moves) this.#moved += milliseconds;
    if (this.#moves && this.#turnsItself) {
      const isOnce = this.turn === "once";
      const degrees = (milliseconds / 1000) * (isOnce ? DEGREES_PER_SECOND_ONCE : DEGREES_PER_SECOND);
      this.#isTurned = true;
      this.#turned += degrees;
      this.#aim({ yaw: this.yaw + degrees });
      if (isOnce && this.#turned >= 360) return this.removeAttribute("turn");
    }
    const parameters = this.#parameters(STEP);
    parameters.set("view", this.#view);
    if (this.#movement && this.#moved) parameters.set("time", this.#moved);
    let image;
    try {
      if (parameters.get("padding") > MAX_PADDING) throw new Error(`Padding must be at most ${MAX_PADDING}`);
      image = this.draw(parameters);
    } catch (error) {
      if (this.#isFile) return this.#fail(error);
      // The server says what is wrong, or draws what is drawn only there.
      this.#isServed = true;
      return this.#serve();
    }
    if (this.#moves) this.#frame = requestAnimationFrame((next) => this.#animate(next));
    [this.#canvas.width, this.#canvas.height] = [image.width, image.height];
    this.#canvas.getContext("2d").putImageData(image, 0, 0);
    this.#fit((image.width * this.#width) / parameters.get("size"));
    this.#reveal(this.#canvas);
  }

  /** Shows the server's picture. One is requested at a time, and the last one of this player stays until the next has arrived. */
  async #serve() {
    const isNear = this.#isNear || this.loading === "eager";
    // The page's picture is on its way. As long as it is not shown, no browser loads a lazy one.
    const isAwaited = this.#own?.complete === false && !this.#isTurned;
    if (isAwaited && isNear) this.#own.loading = "eager";
    const isWanted = this.player && !isAwaited && isNear;
    if (this.#shown === this.#slot && !this.#inside) this.#reveal(this.#silhouette);
    const isNobody = !this.player && !this.#own && !this.#fitting;
    if (isNobody && isNear && !this.#failure) this.#fail({ message: "The attribute player is missing" });
    if (!isWanted) return;
    let url;
    try {
      url = this.#url(this.#view, this.#parameters(this.#grab ? SERVER_STEP : STEP));
    } catch {
      return this.#failure || this.#fail({ message: "The server has no valid URL" });
    }
    if (url === this.#answered) return this.#failure || this.#present(this.#image, url);
    this.#next = url;
    if (this.#isWaiting || (this.#loading && !this.#isServed && this.#shown !== this.#silhouette)) return;
    this.#isWaiting = true;
    const player = this.#players;
    while (this.#next) {
      const url = this.#next;
      this.#next = null;
      const arriving = new Image();
      arriving.src = url;
      const error = await arriving.decode().then(() => null, () => download(url).then(() => null, (error) => error));
      if (this.#players !== player) return;
      // It may have been asked for again on its way.
      if (this.#next === url) this.#next = null;
      this.#answered = url;
      // Somebody who drags sees the side before.
      if (error && !this.#next && !(this.#grab && this.#shown === this.#image)) this.#fail(error);
      if (error) continue;
      this.#image.src = url;
      this.#failure = null;
      this.#describe();
      if (!this.#rests && (!this.#painter || this.#isServed)) this.#present(arriving, url);
      this.dispatchEvent(new Event("load"));
    }
    this.#isWaiting = false;
  }

  #fail({ status = 0, message }) {
    this.#failure = message;
    this.#describe();
    if (!this.#rests) {
      this.#reveal(this.#silhouette);
      this.#fit();
    }
    console.error(`<effigy-figure> ${this.player ?? "without a player"}: ${message}`);
    this.dispatchEvent(new CustomEvent("error", { detail: { status, message } }));
  }

  /** Loads what it takes to draw here, unless it is loaded: the renderer and the player. */
  load() {
    if (this.#loading || !this.player) return this.#loading;
    const player = this.#players;
    const settle = (painter) => {
      if (this.#players !== player) return painter?.free();
      this.#isServed = !(this.#painter ??= painter);
      this.#update();
    };
    this.#loading = this.#prepare().then(settle, () => settle());
    // On slow networks the server draws until the renderer has arrived.
    setTimeout(settle, PATIENCE_MS);
    return this.#loading;
  }

  /** Loads the renderer, and the player's skin, cape and name. */
  async #prepare() {
    const isTexture = HASH.test(this.player.trim());
    const [Painter, skin, { model, name, cape_url }] = await Promise.all([
      loadRenderer(),
      download(this.#url(isTexture ? "texture" : "skin")).then(bytes),
      isTexture ? {} : this.#profile(),
    ]);
    const painter = new Painter(skin, model);
    painter.setName(name ?? "");
    if (cape_url) {
      const cape = await download(this.#url("cape")).catch(() => null);
      if (cape) painter.setCape(await bytes(cape));
    }
    return painter;
  }

  /** The player's profile. That of a substitute is not known, but the skin shows the model. */
  async #profile() {
    const profile = download(this.#url("profile")).then((response) => response.json());
    return this.hasAttribute("default") ? profile.catch(() => ({})) : profile;
  }

  /** Forgets the player who is drawn. */
  #forget() {
    this.#players += 1;
    this.#painter?.free();
    this.#painter = this.#loading = this.#next = this.#fitting = this.#answered = this.#failure = null;
    this.#isServed = this.#isTurned = this.#isFile = this.#isWaiting = false;
    this.#reveal(this.#silhouette);
  }
}

// Another site's script may have been first.
if (!globalThis.customElements?.get("effigy-figure")) globalThis.customElements?.define("effigy-figure", EffigyFigure);
