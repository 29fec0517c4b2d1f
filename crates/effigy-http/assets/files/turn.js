// Turns the figure: by its sliders, by dragging it, and once by itself. The sides are drawn here as soon as the renderer
// is loaded, which begins with the first turn; until then, and where that is not possible, the server draws them.

const DEGREES_PER_PIXEL = 0.75;
/** A pointer that moves less than this many pixels clicks. */
const CLICK_PIXELS = 4;
/** The steps of a turn by itself. */
const STEP_DEGREES = 20;
const STEP_MS = 80;
const PAUSE_BEFORE_MS = 1000;

const stage = document.getElementById("stage");
const picture = document.getElementById("picture");
const yaw = document.getElementById("yaw");
const pitch = document.getElementById("pitch");

/** The beginning of the drag in progress, or null. */
let start = null;
/** Whether the pointer has moved far enough since it went down. */
let dragged = false;
/** The URL of the picture to show next, or null. */
let next = null;
let isLoading = false;
/** Whether the visitor has done anything. */
let touched = false;
/** What the figure shows, a player's name or how a skin file is shown, and the element that draws it, once it can. */
let shown = null;
let figure = null;

/** Covers the picture while it turns. */
const canvas = stage.appendChild(document.createElement("canvas"));
canvas.hidden = true;

/** Keeps an angle of a full turn between -180 and 180 degrees. */
const wrap = (degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;

/** The URL of the picture from another side, or of what draws a skin file from there. */
function urlFrom(yaw, pitch) {
  const url = new URL(picture.draw ? picture.dataset.preview : picture.src, location.href);
  // So that it does not change its size while it turns.
  url.searchParams.set("fit", "turn");
  url.searchParams.set("yaw", yaw);
  url.searchParams.set("pitch", pitch);
  return url.href;
}

/** Loads what draws the figure that is shown. */
async function load() {
  const now = picture.wear ?? decodeURIComponent(new URL(picture.src).pathname.split("/")[3]);
  if (shown === now) return;
  [shown, figure] = [now, null];
  await import(stage.dataset.element);
  const element = document.createElement("effigy-figure");
  if (!picture.wear) element.setAttribute("player", now);
  await (picture.wear ? picture.wear(element) : element.load());
  if (shown === now && element.canvas) figure = element;
}

/** Draws the picture of a URL here, as sharp as the screen. */
function draw(url) {
  const { pathname, searchParams } = new URL(url);
  for (const name of ["default", "model", "v"]) searchParams.delete(name);
  searchParams.set("view", pathname.split("/").at(picture.wear ? 3 : 2));
  const [size, padding] = ["size", "padding"].map((name) => Number(searchParams.get(name)));
  const density = padding ? 1 : Math.min(devicePixelRatio, 2048 / size);
  searchParams.set("size", Math.round(size * density));
  const image = figure.draw(searchParams);
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.style.width = `${image.width / density}px`;
  canvas.getContext("2d").putImageData(image, 0, 0);
  canvas.hidden = false;
}

/** Shows the picture of a URL when it has arrived, as sharp as the screen. Until then the last one stays. */
async function show(url) {
  if (picture.draw) return picture.show(await picture.draw(url));
  const sharp = new URL(url);
  const size = Number(sharp.searchParams.get("size"));
  const hasPadding = sharp.searchParams.has("padding") || sharp.pathname.endsWith(".svg");
  const density = hasPadding ? 1 : Math.min(Math.ceil(devicePixelRatio), 3, Math.floor(2048 / size));
  sharp.searchParams.set("size", size * density);
  const arriving = new Image();
  arriving.src = sharp.href;
  await arriving.decode();
  picture.srcset = `${sharp.href} ${density}x`;
  picture.src = url;
}

/** Shows the figure as the sliders say. No other picture is requested until the last one has arrived, so a
 * quick turn takes few requests. */
async function turn() {
  touched = true;
  if (!picture.draw && !picture.src.includes("/v1/")) return;
  next = urlFrom(yaw.value, pitch.value);
  load().catch(() => {});
  if (figure) {
    draw(next);
    next = null;
  }
  if (isLoading) return;
  isLoading = true;
  while (next) {
    const url = next;
    next = null;
    await show(url).catch(() => {});
  }
  isLoading = false;
}

/** Turns the figure around once, when all its pictures have arrived: as SVG, which is a fifth as long. */
async function turnOnce() {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (isStill || yaw.disabled || !picture.src.includes("/v1/")) return;
  const [first, sharp] = ["src", "srcset"].map((name) => picture.getAttribute(name));
  const urls = [];
  for (let turned = STEP_DEGREES; turned < 360; turned += STEP_DEGREES) {
    const image = new Image();
    const url = urlFrom(wrap(Number(yaw.value) + turned), pitch.value);
    image.src = url.replace("?", ".svg?");
    if (!(await image.decode().then(() => true, () => false)) || touched) return;
    urls.push(image.src);
  }
  for (const url of [...urls, first]) {
    if (touched) return;
    if (url === first && sharp) picture.srcset = sharp;
    else picture.removeAttribute("srcset");
    picture.src = url;
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}

/** Moves a slider, which rounds to its steps, as a keyboard would. */
function move(slider, degrees) {
  const before = slider.value;
  slider.value = degrees;
  if (slider.value !== before) slider.dispatchEvent(new Event("input", { bubbles: true }));
}

for (const event of ["pointerdown", "keydown"]) {
  document.addEventListener(event, () => {
    touched = true;
  });
}

// The server's picture of where the turn ended has arrived, or another one.
new MutationObserver(async () => {
  await picture.decode().catch(() => {});
  if (!start) canvas.hidden = true;
}).observe(picture, { attributeFilter: ["src"] });

for (const slider of [yaw, pitch]) slider.addEventListener("input", turn);

stage.addEventListener("pointerdown", (event) => {
  if (event.button !== 0 || !event.isPrimary || yaw.disabled) return;
  start = { x: event.clientX, y: event.clientY, yaw: Number(yaw.value), pitch: Number(pitch.value) };
  dragged = false;
});

stage.addEventListener("pointermove", (event) => {
  if (!start || !event.isPrimary) return;
  const [right, down] = [event.clientX - start.x, event.clientY - start.y];
  if (!dragged && Math.hypot(right, down) < CLICK_PIXELS) return;
  if (!dragged) stage.setPointerCapture(event.pointerId);
  dragged = true;
  move(yaw, wrap(start.yaw + right * DEGREES_PER_PIXEL));
  // A finger that moves up or down scrolls the page.
  if (event.pointerType !== "touch") move(pitch, start.pitch + down * DEGREES_PER_PIXEL);
});

for (const end of ["pointerup", "pointercancel"]) {
  stage.addEventListener(end, () => {
    if (start && dragged) yaw.dispatchEvent(new Event("change", { bubbles: true }));
    start = null;
  });
}

// The end of a drag is no click on the link, and its beginning does not drag the link away.
stage.addEventListener("click", (event) => {
  if (dragged) event.preventDefault();
});
stage.addEventListener("dragstart", (event) => event.preventDefault());

if (!location.search) addEventListener("load", () => setTimeout(turnOnce, PAUSE_BEFORE_MS));
