// Loads the page in the background when a field changes, and replaces the parts that differ. Everything but skin
// files works without this script: the form and the links load the page. Skin files are drawn here, by the element
// <effigy-figure> that turns the figure. Browsers that do not have the element show the server's pictures.

const MAX_FILE_BYTES = 1024 * 1024;
const PAUSE_MS = 300;
const TYPING_PAUSE_MS = 1000;
/** What can name a player, so that half a name is not looked up. */
const PLAYER = /^(\w{3,16}|\..{3,}|0000\d{12,}|[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
/** The attributes that are taken over from the new page. */
const ATTRIBUTES = [
  "alt", "class", "content", "download", "height", "hidden", "href", "player", "src", "srcset", "width",
];
const DEFAULT_SIZE = 192;
const MAX_SIZE = 2048;
const THUMBNAIL_SIZE = 64;
/** The stage shows larger pictures in this size. */
const LARGEST_SHOWN = 424;
const COPIED_MS = 2000;

const form = document.getElementById("desk");
const player = document.getElementById("player");
const stage = document.getElementById("stage");
const picture = document.getElementById("picture");
const chooser = document.getElementById("skin");
const model = document.getElementById("model");
const tint = document.getElementById("tint");
const background = document.getElementById("background");
const views = [...document.querySelectorAll("#views img")];
const download = document.getElementById("worn-picture");
const [yaw, pitch] = ["yaw", "pitch"].map((id) => document.getElementById(id));

/** The skin file that is shown instead of a player, or null. */
let file = null;
/** Whether the visitor has sent it to the server, because this browser cannot draw it. */
let isSent = false;
/** Aborts the last update when the fields change again. */
let updates = new AbortController();

function showStatus(text, isBad = false) {
  const status = document.getElementById("status");
  status.textContent = text;
  status.className = isBad ? "bad" : "";
  for (const id of ["instead", "unable"]) document.getElementById(id).hidden = true;
}

/** The parameters of the page with the fields as they are. */
function parameters() {
  const query = new URLSearchParams(new FormData(form));
  for (const [name, value] of [...query]) {
    if (!value.trim() || form.elements[name].validity?.valid === false) query.delete(name);
  }
  if (!query.has("size")) query.set("size", DEFAULT_SIZE);
  return query;
}

/** Copies an element of another copy of the page. */
function take(fresh) {
  const old = document.getElementById(fresh.id);
  for (const name of ATTRIBUTES) {
    const value = fresh.getAttribute(name);
    if (value === old.getAttribute(name)) continue;
    if (value === null) old.removeAttribute(name);
    else old.setAttribute(name, value);
  }
  if (!fresh.childElementCount && old.textContent !== fresh.textContent) old.textContent = fresh.textContent;
}

/** Takes the fields over to the figure, and disables those that the chosen view does not have. */
function applyFields() {
  const view = new FormData(form).get("view");
  for (const field of form.querySelectorAll("[data-views]")) {
    field.disabled = !field.dataset.views.split(" ").includes(view);
  }
  // A file has no cape, and is not drawn as SVG here.
  form.elements.cape.disabled ||= Boolean(file);
  form.elements.format.disabled = Boolean(file);
  const query = parameters();
  for (const { name } of form.elements) {
    if (!name || name === "player") continue;
    if (query.has(name)) stage.setAttribute(name, query.get(name));
    else stage.removeAttribute(name);
  }
  if (!query.has("padding")) stage.setAttribute("size", Math.min(query.get("size"), LARGEST_SHOWN));
}

/** Shows what the fields say. */
async function update() {
  updates.abort();
  updates = new AbortController();
  const { signal } = updates;
  applyFields();
  if (!file && !player.value.trim()) return;
  document.body.classList.add("busy");
  try {
    if (file) await showFile(signal);
    else await showPlayer(signal);
    await picture.decode().catch(() => {});
    if (!signal.aborted) stage.rest?.();
  } catch (error) {
    if (!signal.aborted) showStatus(error instanceof TypeError ? "The server cannot be reached." : error.message, true);
  } finally {
    if (!signal.aborted) document.body.classList.remove("busy");
  }
}

/** Takes over what another copy of the page shows. */
async function showPlayer(signal) {
  const response = await fetch(`/?${parameters()}`, { signal });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const fresh of page.querySelectorAll("[data-live]")) take(fresh);
  history.replaceState(null, "", new URL(document.getElementById("canonical").href).search);
  markPlayer();
}

/** Marks the player of the list who is shown. */
function markPlayer() {
  const shown = stage.hasAttribute("player") && !file && player.value.trim().toLowerCase();
  for (const link of document.querySelectorAll(".players a")) {
    if (link.textContent.trim().toLowerCase() === shown) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** Draws the file: a PNG. Fails with the reason. */
async function draw(query, signal) {
  const drawn = await (isSent ? drawAtServer(query, signal) : drawHere(query));
  signal.throwIfAborted();
  return drawn;
}

async function drawHere(query) {
  const image = stage.draw(query);
  const canvas = new OffscreenCanvas(image.width, image.height);
  // A 2D context would keep the colors of faint pixels rounded.
  const bitmap = await createImageBitmap(image, { premultiplyAlpha: "none" });
  canvas.getContext("bitmaprenderer").transferFromImageBitmap(bitmap);
  return canvas.convertToBlob();
}

async function drawAtServer(query, signal) {
  const { view, ...rest } = Object.fromEntries(query);
  const url = `/v1/preview/${view}?${new URLSearchParams({ ...rest, model: model.value })}`;
  const response = await fetch(url, { method: "POST", body: file, signal });
  if (!response.ok) throw new Error((await response.json()).error);
  return response.blob();
}

/** Gives an element the URL of a file instead of the one that it has. */
function setUrl(element, attribute, blob) {
  URL.revokeObjectURL(element[attribute]);
  element[attribute] = URL.createObjectURL(blob);
}

/** Draws the file in an image, as sharp as the screen. */
async function drawIn(image, query, signal) {
  const size = query.get("size");
  // A padding would not grow.
  const scale = query.has("padding") ? 1 : Math.min(devicePixelRatio, MAX_SIZE / size);
  const sharp = new URLSearchParams(query);
  sharp.set("size", Math.round(size * scale));
  setUrl(image, "src", await draw(sharp, signal));
  image.srcset = `${image.src} ${scale}x`;
}

/** Shows the file as the fields say. */
async function showFile(signal) {
  const query = parameters();
  for (const name of ["player", "format"]) query.delete(name);
  const ofView = (image) => new URLSearchParams({ view: image.id.slice("view-".length), size: THUMBNAIL_SIZE });
  await Promise.all([
    drawIn(picture, query, signal),
    ...views.map((image) => drawIn(image, ofView(image), signal)),
    draw(query, signal).then((drawn) => setUrl(download, "href", drawn)),
  ]);
  download.download = `${file.name.replace(/\.png$/i, "")}-${query.get("view")}.png`;
  for (const side of ["width", "height"]) picture.removeAttribute(side);
  await picture.decode();
  document.getElementById("measure").textContent = `${picture.naturalWidth} × ${picture.naturalHeight}`;
  document.getElementById("draggable").hidden = stage.role !== "slider";
  showStatus(`Showing ${file.name}.`);
}

/** Shows a skin file instead of a player, with these arms or those that it seems to have. */
async function openFile(chosen, arms) {
  if (!chosen) return;
  if (chosen.size > MAX_FILE_BYTES) {
    showStatus(`${chosen.name} is larger than 1 MiB, the limit for skin files.`, true);
    return;
  }
  updates.abort();
  document.body.classList.add("busy");
  try {
    model.value = await stage.show(chosen, arms);
    await wear(chosen, false);
  } catch (error) {
    if (error.name !== "AbortError") refuse(chosen, error);
  }
}

/** Shows a file that can be drawn: here, or by the server. */
function wear(chosen, byServer) {
  [file, isSent] = [chosen, byServer];
  picture.alt = document.getElementById("worn-name").textContent = file.name;
  document.getElementById("worn").hidden = false;
  document.getElementById("use").hidden = true;
  markPlayer();
  return update();
}

/** Says why a file cannot be drawn, and offers to send it to the server if it may be a skin. */
function refuse(chosen, error) {
  const isNoSkin = error.name === "Error";
  closeFile();
  stage.removeAttribute("player");
  markPlayer();
  for (const image of [picture, ...views]) {
    image.removeAttribute("srcset");
    image.src = form.dataset.nobody;
  }
  for (const id of ["use", "draggable"]) document.getElementById(id).hidden = true;
  showStatus(isNoSkin ? `Not a skin: ${error.message}` : "This browser cannot draw skin files.", true);
  document.getElementById("unable").hidden = isNoSkin;
  document.getElementById("send").onclick = () => wear(chosen, true);
  document.body.classList.remove("busy");
}

function closeFile() {
  file = null;
  stage.show?.(null);
  chooser.value = "";
  document.getElementById("worn").hidden = true;
}

/** Copies a text. Pages without TLS have only the deprecated clipboard. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "unseen";
    document.body.append(area);
    const before = document.activeElement;
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    before?.focus();
    return done;
  }
}

let pause;
/** Shows what the fields say, unless they change again within this time. */
function updateAfter(milliseconds) {
  updates.abort();
  clearTimeout(pause);
  pause = setTimeout(update, milliseconds);
}

form.addEventListener("input", ({ target, inputType }) => {
  if (target === stage) {
    [yaw.value, pitch.value] = [stage.yaw, stage.pitch];
  } else if (target.type === "range") {
    stage.load?.();
    stage[target.name] = target.value;
  } else if (target === player) {
    if (file) return;
    clearTimeout(pause);
    if (inputType === "insertFromPaste") updateAfter(0);
    else if (PLAYER.test(player.value.trim())) updateAfter(TYPING_PAUSE_MS);
  } else if (![chooser, model, tint].includes(target)) {
    updateAfter(target.type === "number" ? PAUSE_MS : 0);
  }
});
// While it turns, the figure draws itself. The page changes when it is let go.
form.addEventListener("change", ({ target }) => {
  if (target === stage || target.type === "range") updateAfter(PAUSE_MS);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(pause);
  if (file) closeFile();
  update();
});
model.addEventListener("change", () => (isSent ? update() : openFile(file, model.value)));
tint.addEventListener("change", () => {
  const color = tint.value.slice(1);
  const known = [...background.options].find((option) => option.value === color);
  const option = known ?? background.appendChild(new Option(tint.value, color));
  option.selected = true;
  update();
});
document.getElementById("back").addEventListener("click", () => {
  closeFile();
  player.focus();
  update();
});
chooser.addEventListener("change", () => openFile(chooser.files[0]));
picture.addEventListener("error", async () => {
  if (file || !picture.src.includes("/v1/")) return;
  const reply = await fetch(picture.src).catch(() => null);
  const body = await reply?.json().catch(() => null);
  showStatus(body?.error ?? "The picture could not be loaded.", true);
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) {
    const text = document.getElementById(button.dataset.copy).textContent;
    const isCopied = await copy(text);
    showStatus(isCopied ? `Copied: ${text}` : `Copying failed. The text is: ${text}`, !isCopied);
    if (isCopied) {
      const label = button.firstChild;
      label.data = "Copied";
      setTimeout(() => (label.data = "Copy"), COPIED_MS);
    }
  }
  const link = event.target.closest("a[href^='/?']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  player.value = new URL(link.href).searchParams.get("player");
  if (file) closeFile();
  update();
});

const root = document.documentElement;
const carriesFile = (event) => event.dataTransfer?.types.includes("Files");
document.addEventListener("dragover", (event) => {
  if (!carriesFile(event)) return;
  event.preventDefault();
  root.classList.add("dropping");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) root.classList.remove("dropping");
});
document.addEventListener("drop", (event) => {
  root.classList.remove("dropping");
  if (!carriesFile(event)) return;
  event.preventDefault();
  openFile(event.dataTransfer.files[0]);
});

applyFields();
markPlayer();
root.classList.add("live");

// The figure turns once by itself when there is a sign of the visitor, unless that is a click or a key.
if (!location.search) {
  const signs = new AbortController();
  const greet = () => {
    signs.abort();
    stage.setAttribute("turn", "once");
  };
  const stop = ({ target, pointerType }) => {
    // A finger may be about to scroll.
    if (pointerType === "touch") return;
    signs.abort();
    if (target !== stage) stage.removeAttribute("turn");
  };
  for (const type of ["pointermove", "scroll"]) addEventListener(type, greet, { signal: signs.signal });
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, stop);
}
