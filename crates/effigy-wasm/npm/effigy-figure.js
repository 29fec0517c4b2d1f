// A Minecraft player who turns under the finger: <effigy-figure player="Notch"></effigy-figure>.
//
// At first, the element shows the `<img>` inside or, without one, the server's picture. When a
// visitor begins to turn the figure, or `turn` or `animate` asks for it, the element loads the
// renderer, a WebAssembly module, and the player's skin. From then on it draws here what the server
// would send. If that isn't possible, it goes on with the server's pictures. Without a picture of
// this player it shows a silhouette, never another player.
//
// All of it is one file, so that a page loads it from one URL, in one request and one version. In
// this order: the constants, the element, gestures, the silhouette, loading, and angles.

/** The service that this script comes from. The script is below `v1/` or `assets/`. */
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
/** The parameters whose values are not those of their attributes. */
const COMPUTED = ["size", "yaw", "pitch"];
/** The attributes that choose the player. */
const PLAYER = ["player", "server", "default"];
/** The attributes that decide on the side from which a pose is seen best. */
const POSING = ["pose", "animate", "view"];
const DEFAULTS = { yaw: DEFAULT_YAW, pitch: DEFAULT_PITCH, zoom: 1 };
/** The attributes that must be numbers. The server never sees their texts, so mistakes are found here. */
const NUMBERS = ["size", ...Object.keys(DEFAULTS)];

/** Matches the hash of a texture, which may take the place of a player. */
const HASH = /^[0-9a-f]{56,64}$/i;
const MAX_ZOOM = 4;
const DEGREES_PER_SECOND = 45;
/** The speed of `turn="once"`. */
const DEGREES_PER_SECOND_ONCE = 180;
/** The steps of angles. */
const STEP = 0.1;
/** The steps of angles between pictures of the server while a finger moves. */
const SERVER_STEP = 15;
/** The longest time between two frames. A page in the background has none for longer. */
const MAX_FRAME_MS = 100;
/** The time after which the server draws because the renderer has not been loaded. */
const PATIENCE_MS = 3000;
/** The distance from the window in which a picture is loaded. */
const NEAR = "400px";

/** The preference for less motion. Servers that import this module have no `matchMedia`. */
const STILL = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");
/** Sends a change of `devicePixelRatio`: the page is zoomed, or on another screen. */
const SCREEN = new EventTarget();
if (STILL) watchScreen();

function watchScreen() {
  const same = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
  const announce = () => {
    watchScreen();
    SCREEN.dispatchEvent(new Event("change"));
  };
  same.addEventListener("change", announce, { once: true });
}

/** Scripts change the first two rules. */
const STYLE = `
  :host { display: inline-block; width: var(--width); user-select: none; }
  :host(:active) {}
  img, canvas, svg, ::slotted(img) { display: block; object-fit: contain; scale: var(--zoom); }
  img, canvas, svg, ::slotted(img) { width: 100%; height: auto; max-height: 100%; }
  svg { fill: currentcolor; opacity: 0.2; }
  :host([hidden]), [hidden] { display: none !important; }
`;

export class EffigyFigure extends (globalThis.HTMLElement ?? Object) {
  static observedAttributes = [
    ...PLAYER, ...PARAMETERS, "view", "zoom", "zoomable", "turn", "animate", "loading", "label",
  ];

  // The pictures, of which one is shown: the page's, the server's, the one drawn here, or nobody.
  #slot = document.createElement("slot");
  #image = document.createElement("img");
  #canvas = document.createElement("canvas");
  #silhouette = new Silhouette();
  #shown = null;
  /** The texts for assistive technology. The page's own take precedence. */
  #internals = this.attachInternals();
  /** The styles of the element, and of the pressed one. The page owns the attribute `style`. */
  #rules = [];
  /** True if the element has made itself a stop of the Tab key. */
  #isTabStop = false;

  /** The yaw, pitch and zoom as they are now. */
  #side = DEFAULTS;
  /** True if the figure no longer looks like the picture inside or the picture of the file. */
  #isTurned = false;
  /** True after a visitor has turned the figure, which then no longer turns by itself. */
  #isTouched = false;
  /** The degrees by which the figure has turned by itself. */
  #turnedDegrees = 0;
  /** The time for which the limbs have moved. */
  #movedMs = 0;

  /** Counts the players, so that the picture of a former player is recognized. */
  #players = 0;
  /** The promise of a painter for the player, from when it is wanted. */
  #loading = null;
  /** Draws the player, once everything is loaded. */
  #painter = null;
  /** The promise of a painter for the file that was chosen last. */
  #fileLoading = null;
  /** True if the painter draws a file. */
  #isFile = false;
  /** True while the server draws, because there is no painter, or none that can draw this. */
  #isServed = false;

  /** The mistakes in attributes that must be numbers, by name. */
  #mistakes = new Map();

  /** The URL of the server's picture to request next, while another one is on its way. */
  #nextUrl = null;
  #isWaiting = false;
  /** The last URL that the server has answered, and the message if that was an error. */
  #answeredUrl = null;
  #failure = null;
  /** The URL of the page's picture, before changes that are not handled yet. */
  #pageUrl = "";
  /** The URL of the page's picture of the former player. */
  #formerPageUrl = null;

  /** The promise of the next {@link #show}. */
  #pendingUpdate = null;
  /** The requested frame, and the time of the last one. */
  #frame = 0;
  #frameTime = 0;
  #isVisible = false;
  #isNear = false;
  #observers = [
    new IntersectionObserver((entries) => {
      this.#isNear ||= entries.at(-1).isIntersecting;
      this.#update();
    }, { rootMargin: NEAR }),
    new IntersectionObserver((entries) => {
      this.#isVisible = entries.at(-1).isIntersecting;
      this.#update();
    }),
  ];
  #gestures = new Gestures(this, {
    side: () => this.#side,
    canTurn: () => this.#canTurn,
    canZoom: () => this.#canZoom,
    isZoomable: () => this.#isOn("zoomable"),
    turnTo: (side) => this.#turnTo(side),
    reset: () => this.#reset(),
    update: () => this.#update(),
  });

  // Each attribute is also a property. When read, `animate` stays the method of every element.
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
          if (name in DEFAULTS) {
            this.#checkNumber(name, value);
            this.#face({ [name]: value });
          } else if ((value ?? null) === null) this.removeAttribute(name);
          else this.setAttribute(name, value === true ? "" : value);
        },
      });
    }
  }

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    this.adoptedCallback();
    root.append(this.#slot, this.#image, this.#canvas, this.#silhouette.element);
    for (const picture of [this.#image, this.#canvas, this.#silhouette.element]) {
      picture.part = "picture";
    }
    this.#reveal(this.#slot);
    this.addEventListener("change", this.#handleChange);
    this.#slot.addEventListener("slotchange", this.#handleChange);
    this.#watchPageImage();
  }

  #handleChange = () => this.#update();

  /** Notes the URL of the page's picture, and updates when that is loaded or fails. */
  #watchPageImage() {
    const noteUrl = () => {
      this.#pageUrl = this.querySelector("img")?.src ?? "";
    };
    noteUrl();
    const changes = { subtree: true, childList: true, attributeFilter: ["src"] };
    new MutationObserver(noteUrl).observe(this, changes);
    // These events of a picture do not bubble, but they can be captured.
    const updateForImage = ({ target }) => {
      if (target !== this) this.#update();
    };
    this.addEventListener("load", updateForImage, true);
    this.addEventListener("error", updateForImage, true);
  }

  connectedCallback() {
    this.#takeEarlyProperties();
    for (const observer of this.#observers) observer.observe(this);
    for (const source of [STILL, SCREEN]) source.addEventListener("change", this.#handleChange);
    this.#update();
  }

  /** Applies properties that a script has set before this element was defined. */
  #takeEarlyProperties() {
    for (const name of EffigyFigure.observedAttributes) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
  }

  /** Gives the element a style sheet of its document. A document without a window has none. */
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
    for (const source of [STILL, SCREEN]) source.removeEventListener("change", this.#handleChange);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#gestures.cancel();
  }

  attributeChangedCallback(name, before, value) {
    if (before === value) return;
    if (NUMBERS.includes(name)) this.#checkNumber(name, value);
    if (name in DEFAULTS) this.#aim({ [name]: value });
    if (name === "turn" && before === "once") this.#endSingleTurn();
    if (POSING.includes(name) && !this.#isTurned) {
      this.#aim({ yaw: this.getAttribute("yaw"), pitch: this.getAttribute("pitch") });
    }
    if (PLAYER.includes(name)) {
      if (before !== null) this.#formerPageUrl = this.#pageUrl;
      this.#forgetPlayer();
    }
    // A picture that could not be drawn before may be possible now.
    if (this.#painter) this.#isServed = false;
    this.#forgetFailure();
    this.#update();
  }

  /** Notes a mistake, which is reported once, if a value is there that is not a number. */
  #checkNumber(name, value) {
    if (isBlank(value) || readNumber(value) !== null) {
      this.#mistakes.delete(name);
      return;
    }
    const message = `The attribute ${name} must be a number, not "${value}"`;
    if (this.#mistakes.get(name)?.message === message) return;
    this.#mistakes.set(name, { message, isReported: false });
  }

  /** Turns the figure back to where `turn="once"` has begun, unless a visitor has turned it. */
  #endSingleTurn() {
    if (this.#isTouched || this.#gestures.isDragging) return;
    this.#aim({ yaw: this.getAttribute("yaw") });
    this.#isTurned = false;
    this.#turnedDegrees = 0;
  }

  /**
   * Shows a skin file, a Blob or its bytes, which stays in the browser; with null, the player
   * again. Without a model it is guessed. Returns the model. Fails with an `Error` if the file is
   * not a skin, and with an error of another name if the renderer cannot be loaded.
   */
  async show(file, model) {
    if (!file) {
      this.#forgetPlayer();
      this.#update();
      return null;
    }
    const loading = loadPainter(file, model);
    this.#fileLoading = loading;
    const painter = await loading;
    if (this.#fileLoading !== loading) {
      painter.free();
      throw new DOMException("Another player is shown", "AbortError");
    }
    this.#forgetPlayer();
    this.#painter = painter;
    this.#loading = Promise.resolve();
    this.#isFile = true;
    this.#update();
    return painter.isSlim ? "slim" : "classic";
  }

  /** Shows the picture inside again, or the file as it was before it was turned. */
  rest() {
    if (this.#gestures.isDragging) return;
    this.#isTurned = false;
    this.#forgetFailure();
    this.#update();
  }

  /** Draws a picture of the loaded player. Takes `view` and the parameters of URLs. */
  draw(parameters) {
    // The painter knows no escapes.
    const pairs = [...new URLSearchParams(parameters)];
    const text = pairs.map(([name, value]) => `${name}=${value.trim()}`).join("&");
    return new ImageData(this.#painter.draw(text), this.#painter.width);
  }

  /** Loads the renderer and the player, so that pictures are drawn here. */
  load() {
    if (this.#loading || !this.player) return this.#loading;
    const player = this.#players;
    const loaded = this.#loadPlayer();
    this.#loading = loaded.then(
      (painter) => this.#settle(player, painter),
      () => this.#settle(player),
    );
    // On slow networks the server draws until the renderer has arrived.
    setTimeout(() => this.#settle(player), PATIENCE_MS);
    return this.#loading;
  }

  /** Draws with a painter from now on or, without one, lets the server draw. */
  #settle(player, painter) {
    if (this.#players !== player) {
      painter?.free();
      return;
    }
    this.#painter ??= painter;
    this.#isServed = !this.#painter;
    this.#update();
  }

  /** Loads the renderer, and the player's skin, cape and name. */
  async #loadPlayer() {
    const isTexture = HASH.test(this.player.trim());
    const [Painter, skin, { model, name, cape_url }] = await Promise.all([
      loadRenderer(),
      download(this.#url(isTexture ? "texture" : "skin")).then(bytes),
      isTexture ? {} : this.#loadProfile(),
    ]);
    const painter = new Painter(skin, model);
    painter.setName(name ?? "");
    if (cape_url) {
      const cape = await download(this.#url("cape")).catch(() => null);
      if (cape) painter.setCape(await bytes(cape));
    }
    return painter;
  }

  /** Loads the player's profile. A substitute has none here, but the skin shows the model. */
  async #loadProfile() {
    const profile = download(this.#url("profile")).then((response) => response.json());
    return this.hasAttribute("default") ? profile.catch(() => ({})) : profile;
  }

  /** Forgets the player who is drawn, and the file that is being loaded. */
  #forgetPlayer() {
    this.#players += 1;
    this.#painter?.free();
    this.#painter = null;
    this.#loading = null;
    this.#fileLoading = null;
    this.#isFile = false;
    this.#isServed = false;
    this.#isTurned = false;
    this.#isWaiting = false;
    this.#nextUrl = null;
    this.#answeredUrl = null;
    this.#failure = null;
    this.#reveal(this.#silhouette.element);
  }

  /** Lets a picture that could not be loaded be requested once more. */
  #forgetFailure() {
    if (!this.#failure) return;
    this.#failure = null;
    this.#answeredUrl = null;
  }

  /** Changes some of the yaw, pitch and zoom. Those that are not numbers get their defaults. */
  #aim(side) {
    const { yaw, pitch, zoom } = { ...this.#side, ...side };
    const [bestYaw, bestPitch] = this.#bestSide;
    this.#side = {
      yaw: wrap(readNumber(yaw) ?? bestYaw),
      pitch: clamp(readNumber(pitch) ?? bestPitch, -90, 90),
      zoom: clamp(readNumber(zoom) ?? DEFAULTS.zoom, 1, MAX_ZOOM),
    };
  }

  /** Turns or zooms the figure for a script. */
  #face(side) {
    this.#aim(side);
    this.#isTurned = true;
    this.#update();
  }

  /** Turns or zooms the figure for a visitor. */
  #turnTo(side) {
    this.load();
    this.#isTouched = true;
    this.#face(side);
    dispatch(this, "input");
  }

  /** Turns and zooms the figure back to its attributes, or to the best side. */
  #reset() {
    for (const name in DEFAULTS) this.#aim({ [name]: this.getAttribute(name) });
    this.#isTurned = false;
    this.#isTouched = false;
    this.#update();
    dispatch(this, "input");
    dispatch(this, "change");
  }

  /** The yaw and the pitch from which the pose is seen best. */
  get #bestSide() {
    const pose = (this.#movement || this.pose || "").trim().toLowerCase();
    // A head looks the same way in every pose.
    const hasOwnSide = this.#view !== "cube" && Object.hasOwn(SIDES, pose);
    return hasOwnSide ? SIDES[pose] : [DEFAULT_YAW, DEFAULT_PITCH];
  }

  /** True if there is a player who can be seen from every side. */
  get #turns() {
    return TURNING_VIEWS.includes(this.#view) && Boolean(this.player || this.#painter);
  }

  /** True if a visitor can turn the figure. */
  get #canTurn() {
    return this.#turns && !this.#failure;
  }

  get #canZoom() {
    return this.#isOn("zoomable") && !this.#failure;
  }

  get #turnsItself() {
    return this.#isOn("turn") && !this.#isTouched;
  }

  /** The pose whose movement is shown, or a false value. */
  get #movement() {
    if (!this.#isOn("animate") || !this.#turns) return null;
    return this.getAttribute("animate") || this.pose || "idle";
  }

  /** True while the figure moves by itself, which it does only if that is welcome and visible. */
  get #moves() {
    const hasReason = this.#turnsItself || this.#movement;
    return hasReason && this.#canTurn && this.#isVisible && !STILL.matches;
  }

  /** The page's picture of this player, or null. */
  get #pageImage() {
    const image = this.querySelector("img");
    return image?.src === this.#formerPageUrl ? null : image;
  }

  /** The page's picture of this player if it can be shown, or null. */
  get #usablePageImage() {
    const image = this.#pageImage;
    // A picture that is on its way may still show the former player.
    const isUsable = image?.complete ? image.naturalWidth > 0 : this.#formerPageUrl === null;
    return isUsable ? image : null;
  }

  /** True if the page's picture shows the figure as it is now. */
  get #rests() {
    const isDrawnMoving = this.#moves && this.#painter;
    return this.#usablePageImage && !this.#isFile && !this.#isTurned && !isDrawnMoving;
  }

  /** Returns true if an attribute is there that is not "false". */
  #isOn(name) {
    return this.hasAttribute(name) && this.getAttribute(name) !== "false";
  }

  get #view() {
    return this.view ?? "figure";
  }

  /** The width in CSS pixels, without what a padding and a shape add. */
  get #width() {
    const size = readNumber(this.size);
    return size > 0 ? clamp(size, 1, MAX_SIZE) : DEFAULT_WIDTH;
  }

  /** The pixels of the picture per CSS pixel. While it moves, a zoom does not make it sharper. */
  get #density() {
    const isMoving = this.#moves || this.#gestures.isDragging;
    const zoom = isMoving ? 1 : this.zoom;
    // The server refuses a padding that no picture can have, and says so.
    const maxForPadding = Math.max(1, MAX_PADDING / (Number(this.padding) || 1));
    return Math.min(devicePixelRatio * zoom, MAX_SIZE / this.#width, maxForPadding);
  }

  /** The parameters of the picture in URLs. Angles are rounded to the step. */
  #parameters(step) {
    const density = this.#density;
    const size = Math.max(1, Math.round(this.#width * density));
    const parameters = new URLSearchParams({ size });
    for (const name of PARAMETERS) {
      const isCopied = this.hasAttribute(name) && !COMPUTED.includes(name);
      if (isCopied) parameters.set(name, this.getAttribute(name));
    }
    const padding = Math.round(parameters.get("padding") * density);
    if (padding) parameters.set("padding", padding);
    const line = Number(parameters.get("outline-width"));
    // The server refuses a width that no outline can have, and says so.
    if (line >= 1 && line <= MAX_OUTLINE) {
      parameters.set("outline-width", clamp(Math.round(line * density), 1, MAX_OUTLINE));
    }
    if (this.#movement) parameters.set("pose", this.#movement);
    if (this.#turns) {
      // The figure keeps its size while it turns. A file at rest has the size of its picture.
      const isFitted = parameters.has("fit") || (this.#isFile && !this.#isTurned);
      if (!isFitted) parameters.set("fit", "turn");
      parameters.set("yaw", rounded(this.#side.yaw, step));
      parameters.set("pitch", rounded(this.#side.pitch, step));
    }
    return parameters;
  }

  /** The URL of something about the player at the server. */
  #url(kind, parameters = new URLSearchParams()) {
    const hasSubstitute = kind !== "profile" && kind !== "cape" && this.hasAttribute("default");
    if (hasSubstitute) parameters.set("default", this.default);
    const service = new URL((this.server ?? SERVICE).replace(/\/*$/, "/"), document.baseURI);
    const url = new URL(`v1/${kind}/${encodeURIComponent(this.player)}`, service);
    url.search = parameters;
    return url.href;
  }

  /** Updates the element, once for all changes of this moment. */
  #update() {
    this.#pendingUpdate ??= Promise.resolve().then(() => {
      this.#pendingUpdate = null;
      if (this.isConnected) this.#show();
    });
  }

  #show() {
    for (const mistake of this.#mistakes.values()) {
      if (mistake.isReported) continue;
      mistake.isReported = true;
      this.#report(0, mistake.message);
    }
    this.#describe();
    const [style] = this.#rules;
    style.setProperty("--zoom", this.zoom);
    style.overflow = this.zoom > 1 ? "clip" : "";
    this.#silhouette.view = this.#view;
    this.#gestures.listensToWheel = this.#isOn("zoomable");
    if (this.#moves) this.load();
    if (this.#rests) this.#reveal(this.#slot);
    else if (this.#painter && !this.#isServed) this.#requestFrame();
    else this.#serve();
    const isPicture = this.#shown === this.#image || this.#shown === this.#canvas;
    if (!isPicture) this.#fitWithoutPicture();
  }

  /** Shows one of the pictures. */
  #reveal(shown) {
    this.#shown = shown;
    for (const picture of this.shadowRoot.children) {
      picture.toggleAttribute("hidden", picture !== shown);
    }
  }

  /** Sets the width in CSS pixels. */
  #fit(width) {
    this.#rules[0].setProperty("--width", `${width}px`);
  }

  /** Sets the width to the width of the page's picture if it is shown, or of the attributes. */
  #fitWithoutPicture() {
    const image = this.#shown === this.#slot ? this.#usablePageImage : null;
    this.#fit(Number(image?.getAttribute("width")) || this.#width);
  }

  /** Tells assistive technology who is shown from which side, and everybody what can be done. */
  #describe() {
    const canTurn = this.#canTurn;
    const name = this.label || this.#pageImage?.alt || this.player || "Figure";
    const label = this.#failure ? `${name}: ${this.#failure}` : name;
    this.#silhouette.reason = this.#failure ? label : "";
    Object.assign(this.#internals, {
      role: canTurn ? "slider" : "img",
      ariaLabel: label,
      ariaValueMin: canTurn ? "-180" : undefined,
      ariaValueMax: canTurn ? "180" : undefined,
      ariaValueNow: canTurn ? String(Math.round(this.#side.yaw)) : undefined,
      ariaValueText: canTurn ? inWords(this.#side) : undefined,
    });
    const [style, pressed] = this.#rules;
    style.cursor = canTurn ? "grab" : "";
    pressed.cursor = canTurn ? "grabbing" : "";
    if (this.#canZoom) style.touchAction = "pan-y";
    else style.touchAction = canTurn ? "pan-y pinch-zoom" : "";
    this.#setTabStop();
  }

  /** Makes the element a stop of the Tab key if its keys do something. */
  #setTabStop() {
    // An element that has the focus keeps it.
    const isFocused = this.#isTabStop && this.getRootNode().activeElement === this;
    const isTabStop = this.#canTurn || this.#canZoom || isFocused;
    const isOfPage = isTabStop && this.hasAttribute("tabindex");
    if (isTabStop === this.#isTabStop || isOfPage) return;
    this.#isTabStop = isTabStop;
    if (isTabStop) this.tabIndex = 0;
    else this.removeAttribute("tabindex");
  }

  #requestFrame() {
    this.#frame ||= requestAnimationFrame((time) => this.#animate(time));
  }

  /** Moves the figure on if it moves, and draws it. */
  #animate(time) {
    const milliseconds = Math.min(time - this.#frameTime, MAX_FRAME_MS);
    this.#frame = 0;
    this.#frameTime = time;
    if (!this.#painter || this.#rests) return;
    if (this.#moves) this.#movedMs += milliseconds;
    if (this.#moves && this.#turnsItself) {
      this.#turnOn(milliseconds);
      if (this.turn === "once" && this.#turnedDegrees >= 360) {
        this.removeAttribute("turn");
        return;
      }
    }
    this.#paint();
  }

  /** Turns the figure as far as it turns by itself in a time. */
  #turnOn(milliseconds) {
    const speed = this.turn === "once" ? DEGREES_PER_SECOND_ONCE : DEGREES_PER_SECOND;
    const degrees = (milliseconds / 1000) * speed;
    this.#isTurned = true;
    this.#turnedDegrees += degrees;
    this.#aim({ yaw: this.yaw + degrees });
  }

  /** Draws the figure here, or lets the server draw what can't be drawn here. */
  #paint() {
    const parameters = this.#parameters(STEP);
    parameters.set("view", this.#view);
    if (this.#movement && this.#movedMs) parameters.set("time", this.#movedMs);
    let image;
    try {
      const isPadded = parameters.get("padding") > MAX_PADDING;
      if (isPadded) throw new Error(`Padding must be at most ${MAX_PADDING}`);
      image = this.draw(parameters);
    } catch (error) {
      if (this.#isFile) {
        this.#fail(error);
        return;
      }
      // The server says what is wrong, or draws what is drawn only there.
      this.#isServed = true;
      this.#serve();
      return;
    }
    // If nothing in the picture moves, all its frames are the same. The painter knows that after a
    // picture with a time, which the first one does not have.
    const isStill = parameters.has("time") && !this.#painter.moves && !this.#turnsItself;
    if (this.#moves && !isStill) this.#requestFrame();
    this.#canvas.width = image.width;
    this.#canvas.height = image.height;
    this.#canvas.getContext("2d").putImageData(image, 0, 0);
    this.#fit((image.width * this.#width) / parameters.get("size"));
    this.#reveal(this.#canvas);
  }

  /** Shows the server's picture. The last one of this player stays until the next has arrived. */
  #serve() {
    const isNear = this.#isNear || this.loading === "eager";
    // The page's picture is on its way. While it is hidden, browsers don't load a lazy one.
    const isAwaited = this.#pageImage?.complete === false && !this.#isTurned;
    if (isAwaited && isNear) this.#pageImage.loading = "eager";
    if (this.#shown === this.#slot && !this.#usablePageImage) {
      this.#reveal(this.#silhouette.element);
    }
    if (!isNear) return;
    const isNobody = !this.player && !this.#pageImage && !this.#fileLoading;
    if (isNobody && !this.#failure) this.#fail({ message: "The attribute player is missing" });
    if (!this.player || isAwaited) return;
    const url = this.#pictureUrl();
    if (url === null) {
      if (!this.#failure) this.#fail({ message: "The server has no valid URL" });
    } else if (url === this.#answeredUrl) {
      if (!this.#failure) this.#present(this.#image, url);
    } else {
      this.#nextUrl = url;
      const isDrawnSoon = this.#loading && !this.#isServed;
      const canWait = isDrawnSoon && this.#shown !== this.#silhouette.element;
      if (!this.#isWaiting && !canWait) this.#request();
    }
  }

  /** Returns the URL of the server's picture, or null if the URL of the server is invalid. */
  #pictureUrl() {
    const step = this.#gestures.isDragging ? SERVER_STEP : STEP;
    try {
      return this.#url(this.#view, this.#parameters(step));
    } catch {
      return null;
    }
  }

  /** Requests pictures one at a time, until the one that was wanted last has arrived. */
  async #request() {
    this.#isWaiting = true;
    const player = this.#players;
    while (this.#nextUrl) {
      const url = this.#nextUrl;
      this.#nextUrl = null;
      const arriving = new Image();
      arriving.src = url;
      const error = await failureOf(arriving, url);
      if (this.#players !== player) return;
      // The same picture may have been wanted again on its way.
      if (this.#nextUrl === url) this.#nextUrl = null;
      this.#answeredUrl = url;
      if (!error) {
        this.#receive(arriving, url);
        continue;
      }
      // A visitor who drags goes on to see the last side.
      const isHeld = this.#gestures.isDragging && this.#shown === this.#image;
      if (!this.#nextUrl && !isHeld) this.#fail(error);
    }
    this.#isWaiting = false;
  }

  /** Takes a picture of the server that has arrived. */
  #receive(arrived, url) {
    this.#image.src = url;
    this.#failure = null;
    this.#describe();
    const isShown = !this.#rests && (!this.#painter || this.#isServed);
    if (isShown) this.#present(arrived, url);
    this.dispatchEvent(new Event("load"));
  }

  /** Shows the server's picture from a URL. */
  #present({ naturalWidth }, url) {
    // It is 0 while a picture that has been shown is decoded once more.
    if (naturalWidth) {
      const size = new URL(url).searchParams.get("size");
      this.#fit((naturalWidth * this.#width) / size);
    }
    this.#reveal(this.#image);
  }

  /** Shows the silhouette with a reason, and reports it. */
  #fail({ status = 0, message }) {
    this.#failure = message;
    this.#describe();
    if (!this.#rests) {
      this.#reveal(this.#silhouette.element);
      this.#fitWithoutPicture();
    }
    this.#report(status, message);
  }

  /** Reports a mistake to the console and as an event. */
  #report(status, message) {
    console.error(`<effigy-figure> ${this.player ?? "without a player"}: ${message}`);
    this.dispatchEvent(new CustomEvent("error", { detail: { status, message } }));
  }
}

/** The pixels of a wheel that double the size. */
const WHEEL_PIXELS = 400;
const DEGREES_PER_PIXEL = 0.75;
/** A pointer that moves less than this many pixels clicks. */
const CLICK_PIXELS = 4;
const KEYS = {
  ArrowLeft: { name: "yaw", step: -15 },
  ArrowRight: { name: "yaw", step: 15 },
  ArrowUp: { name: "pitch", step: -15 },
  ArrowDown: { name: "pitch", step: 15 },
  "+": { name: "zoom", step: 0.25 },
  "-": { name: "zoom", step: -0.25 },
};

/** The pointers, wheels and keys with which visitors turn and zoom a figure. */
class Gestures {
  #figure;
  #actions;
  /** The beginning of a drag, or null. */
  #grab = null;
  /** The last events of fingers by their ids. */
  #fingers = new Map();
  /** The distance of two fingers and the zoom when they came down, or null. */
  #pinch = null;
  /** True if the next click ends a drag. */
  #hasDragged = false;

  constructor(figure, actions) {
    this.#figure = figure;
    this.#actions = actions;
    figure.addEventListener("pointerdown", (event) => this.#press(event));
    figure.addEventListener("pointermove", (event) => this.#move(event));
    figure.addEventListener("pointerup", (event) => this.#release(event));
    figure.addEventListener("pointercancel", (event) => this.#release(event));
    figure.addEventListener("keydown", (event) => this.#pressKey(event));
    figure.addEventListener("dblclick", () => actions.reset());
    // Dragging the picture away would end the turn.
    figure.addEventListener("dragstart", (event) => event.preventDefault());
    figure.addEventListener("click", (event) => this.#click(event), true);
  }

  get isDragging() {
    return this.#grab !== null;
  }

  /** A listener of wheels slows scrolling down, so only figures that zoom have one. */
  set listensToWheel(isListening) {
    if (isListening) this.#figure.addEventListener("wheel", this.#wheel, { passive: false });
    else this.#figure.removeEventListener("wheel", this.#wheel);
  }

  /** Forgets the pointers that are down. */
  cancel() {
    this.#grab = null;
    this.#pinch = null;
    this.#fingers.clear();
  }

  #press(event) {
    this.#hasDragged = false;
    // Two fingers zoom, the page or the figure, and turn nothing.
    if (this.#grab && !event.isPrimary) this.#release(event);
    if (event.pointerType === "touch" && this.#actions.isZoomable()) {
      this.#fingers.set(event.pointerId, event);
      if (this.#fingers.size === 2) {
        this.#pinch = { distance: this.#fingerDistance(), zoom: this.#actions.side().zoom };
      }
    }
    if (event.button !== 0 || !event.isPrimary || !this.#actions.canTurn()) return;
    const { yaw, pitch } = this.#actions.side();
    this.#grab = { x: event.clientX, y: event.clientY, yaw, pitch, hasMoved: false };
    // The end of the drag is reported wherever it happens.
    this.#figure.setPointerCapture(event.pointerId);
    this.#figure.load();
  }

  #move(event) {
    if (this.#fingers.has(event.pointerId)) this.#fingers.set(event.pointerId, event);
    if (this.#pinch) {
      const { distance, zoom } = this.#pinch;
      this.#actions.turnTo({ zoom: (zoom * this.#fingerDistance()) / distance });
    } else if (this.#grab && event.isPrimary) {
      this.#drag(event);
    }
  }

  #drag(event) {
    const grab = this.#grab;
    const right = event.clientX - grab.x;
    const down = event.clientY - grab.y;
    if (!grab.hasMoved && Math.hypot(right, down) < CLICK_PIXELS) return;
    grab.hasMoved = true;
    const yaw = grab.yaw + right * DEGREES_PER_PIXEL;
    // A finger that moves up or down scrolls the page.
    const isFinger = event.pointerType === "touch";
    const pitch = isFinger ? grab.pitch : grab.pitch + down * DEGREES_PER_PIXEL;
    this.#actions.turnTo({ yaw, pitch });
  }

  #release(event) {
    this.#fingers.delete(event.pointerId);
    this.#hasDragged = Boolean(this.#grab?.hasMoved || this.#pinch);
    this.#grab = null;
    this.#pinch = null;
    if (!this.#hasDragged) return;
    this.#actions.update();
    dispatch(this.#figure, "change");
  }

  /** Keeps a link around the figure from being followed at the end of a drag. */
  #click(event) {
    if (this.#hasDragged) event.preventDefault();
    this.#hasDragged = false;
  }

  #wheel = (event) => {
    event.preventDefault();
    const zoom = this.#actions.side().zoom * 2 ** (-event.deltaY / WHEEL_PIXELS);
    this.#actions.turnTo({ zoom });
    dispatch(this.#figure, "change");
  };

  #pressKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const canTurn = this.#actions.canTurn();
    const canZoom = this.#actions.canZoom();
    if (event.key === "Home" && (canTurn || canZoom)) {
      event.preventDefault();
      dispatch(this.#figure, "dblclick");
      return;
    }
    const key = KEYS[event.key];
    if (!key) return;
    const isAllowed = key.name === "zoom" ? canZoom : canTurn;
    if (!isAllowed) return;
    event.preventDefault();
    this.#actions.turnTo({ [key.name]: this.#actions.side()[key.name] + key.step });
    dispatch(this.#figure, "change");
  }

  #fingerDistance() {
    const [one, other] = this.#fingers.values();
    return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  }
}

function dispatch(element, type) {
  element.dispatchEvent(new Event(type, { bubbles: true }));
}

const SVG = "http://www.w3.org/2000/svg";
/** A player at rest: the head, the body, and the arms and legs a little apart from it. */
const OUTLINE = "M4.2.2h7.6v7.6H4.2zM4.3 8.2h7.4v11.6H4.3zM3.9 8.3v3.3L3 19.9H0L1 8.3z"
  + "M12.1 8.3v3.3l.9 8.3h3L15 8.3zM4.3 20.2h3.5L7.6 32H3.9zM8.2 20.2h3.5L12.1 32H8.4z";
const WHOLE = "0 0 16 32";
const CHEST = "0 0 16 16";
const HEAD = "4 0 8 8";
/** The parts of the silhouette for views that do not show the whole player. */
const BOXES = {
  portrait: CHEST, bust: CHEST, cube: HEAD, isohead: HEAD, ioshead: HEAD, face: HEAD, head: HEAD,
  combo: "-16 0 48 32",
};

/** Nobody in particular, who is shown if there is no picture of the player. */
class Silhouette {
  element = document.createElementNS(SVG, "svg");
  #title = document.createElementNS(SVG, "title");

  constructor() {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", OUTLINE);
    this.element.append(this.#title, path);
  }

  set view(view) {
    this.element.setAttribute("viewBox", BOXES[view] ?? WHOLE);
  }

  /** The reason for the silhouette, which a pointer over it shows. */
  set reason(text) {
    this.#title.textContent = text;
  }
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

/** Loads the renderer and a skin file. Returns a painter. */
async function loadPainter(file, model) {
  const [Painter, skin] = await Promise.all([loadRenderer(), bytes(file)]);
  return new Painter(skin, model);
}

/** Returns a response. Fails with the status and the message of the server, if it answers. */
async function download(url) {
  const response = await fetch(url).catch(() => null);
  if (response?.ok) return response;
  const body = await response?.json().catch(() => null);
  const message = body?.error ?? "The server cannot be reached";
  throw Object.assign(new Error(message), { status: response?.status ?? 0 });
}

/** Waits for a picture. Returns null, or the error of the server if the picture cannot be shown. */
async function failureOf(image, url) {
  try {
    await image.decode();
    return null;
  } catch {
    // Only a script can read the message of the server.
    return download(url).then(() => null, (error) => error);
  }
}

/** Returns the bytes of a Blob, a response, an ArrayBuffer or an array of bytes. */
async function bytes(from) {
  return new Uint8Array(from.arrayBuffer ? await from.arrayBuffer() : from);
}

/** Returns the number that a value of an attribute or a property means, or null if it is none. */
function readNumber(value) {
  const number = Number(value);
  return isBlank(value) || !Number.isFinite(number) ? null : number;
}

function isBlank(value) {
  return String(value ?? "").trim() === "";
}

/** Returns the angle from -180 to 180 degrees that means the same. */
function wrap(degrees) {
  return ((((degrees + 180) % 360) + 360) % 360) - 180;
}

function clamp(value, min, max) {
  return Math.min(max, Math.max(min, value));
}

function rounded(degrees, step) {
  return Number((Math.round(degrees / step) * step).toFixed(1));
}

/** Returns the side from which a figure is seen, in words. */
function inWords({ yaw, pitch }) {
  const fromSide = yawInWords(yaw);
  const height = Math.round(Math.abs(pitch));
  if (height === 0) return fromSide;
  return `${fromSide}, ${height} degrees from ${pitch > 0 ? "above" : "below"}`;
}

function yawInWords(yaw) {
  const degrees = Math.round(Math.abs(yaw));
  if (degrees === 0) return "from the front";
  if (degrees === 180) return "from behind";
  return `${degrees} degrees to the ${yaw > 0 ? "right" : "left"}`;
}

// Another site's script may have defined the element first.
if (!globalThis.customElements?.get("effigy-figure")) {
  globalThis.customElements?.define("effigy-figure", EffigyFigure);
}
