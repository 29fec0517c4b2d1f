// Loads the page in the background when a field changes, and replaces the parts that differ. Everything but skin
// files works without this script: the form and the links load the page.

const MAX_FILE_BYTES = 1024 * 1024;
const PAUSE_MS = 300;
const TYPING_PAUSE_MS = 1000;
/** What can name a player, so that half a name is not looked up. */
const PLAYER = /^(\w{3,16}|\..{3,}|0000\d{12,}|[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
/** The attributes that are taken over from the new page. */
const ATTRIBUTES = [
  "alt", "class", "content", "data-preview", "download", "height", "hidden", "href", "src", "srcset", "width",
];
const COPIED_MS = 2000;

const form = document.getElementById("desk");
const player = document.getElementById("player");
const picture = document.getElementById("picture");
const chooser = document.getElementById("skin");
const model = document.getElementById("model");
const tint = document.getElementById("tint");
const background = document.getElementById("background");
const pictures = [picture, ...document.querySelectorAll("#views img")];

/** The skin file that is shown instead of a player, or null. */
let file = null;
/** Aborts the last update when the fields change again. */
let updates = new AbortController();

function showStatus(text, isBad = false) {
  const status = document.getElementById("status");
  status.textContent = text;
  status.className = isBad ? "bad" : "";
  document.getElementById("instead").hidden = true;
}

/** The URL of the page with the fields as they are. */
function pageUrl() {
  const query = new URLSearchParams(new FormData(form));
  for (const [name, value] of [...query]) if (!value.trim()) query.delete(name);
  return `/?${query}`;
}

/** Copies an element of another copy of the page. */
function take(fresh, attributes = ATTRIBUTES) {
  const old = document.getElementById(fresh.id);
  for (const name of attributes) {
    const value = fresh.getAttribute(name);
    if (value === old.getAttribute(name)) continue;
    if (value === null) old.removeAttribute(name);
    else old.setAttribute(name, value);
  }
  if (!fresh.childElementCount && old.textContent !== fresh.textContent) old.textContent = fresh.textContent;
}

/** Disables the fields that the chosen view does not have. */
function disableFields() {
  const view = new FormData(form).get("view");
  for (const field of form.querySelectorAll("[data-views]")) {
    field.disabled = !field.dataset.views.split(" ").includes(view);
  }
}

/** Shows what the fields say. */
async function update() {
  updates.abort();
  updates = new AbortController();
  const { signal } = updates;
  disableFields();
  if (!file && !player.value.trim()) return;
  document.body.classList.add("busy");
  try {
    const response = await fetch(pageUrl(), { signal });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (file) return await showFile(page, signal);
    for (const fresh of page.querySelectorAll("[data-live]")) take(fresh);
    history.replaceState(null, "", new URL(document.getElementById("canonical").href).search);
    markPlayer();
  } catch (error) {
    if (!signal.aborted) showStatus(error instanceof TypeError ? "The server cannot be reached." : error.message, true);
  } finally {
    if (!signal.aborted) document.body.classList.remove("busy");
  }
}

/** Marks the player of the list who is shown. */
function markPlayer() {
  for (const link of document.querySelectorAll(".players a")) {
    const isShown = !file && link.textContent.trim().toLowerCase() === player.value.trim().toLowerCase();
    if (isShown) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** The pixels of the screen per pixel of the page, in which a picture of this size can be drawn. */
const density = (size) => Math.min(Math.ceil(devicePixelRatio), 3, Math.floor(2048 / size));

/** Has the server draw the file, for this screen. Fails with the reason. */
async function draw(url, signal) {
  const sharp = new URL(url, location.href);
  const size = Number(sharp.searchParams.get("size"));
  const scale = sharp.searchParams.has("padding") ? 1 : density(size);
  sharp.searchParams.set("size", size * scale);
  sharp.searchParams.set("model", model.value);
  const response = await fetch(sharp, { method: "POST", body: file, signal });
  if (!response.ok) throw new Error((await response.json()).error);
  return { url: URL.createObjectURL(await response.blob()), scale };
}

/** Shows a drawn file in an image. */
function show(image, { url, scale }) {
  if (image.src.startsWith("blob:")) URL.revokeObjectURL(image.src);
  image.src = url;
  image.srcset = `${url} ${scale}x`;
  if (image !== picture) return;
  document.getElementById("stage").href = url;
  const link = document.getElementById("worn-picture");
  link.href = url;
  link.download = `${file.name.replace(/\.png$/i, "")}-${new FormData(form).get("view")}.png`;
}

/** Has the server draw the file as the pictures of another copy of the page. */
async function showFile(page, signal) {
  markPlayer();
  for (const id of ["measure", "draggable"]) take(page.getElementById(id));
  take(page.getElementById(picture.id), ["height", "width"]);
  picture.alt = file.name;
  document.getElementById("use").hidden = true;
  picture.dataset.preview = page.getElementById(picture.id).dataset.preview;
  // For turn.js.
  picture.draw = draw;
  picture.show = (drawn) => show(picture, drawn);
  picture.wear = (figure) => figure.show(file, model.value);
  try {
    await Promise.all(
      pictures.map(async (image) => show(image, await draw(page.getElementById(image.id).dataset.preview, signal))),
    );
  } catch (error) {
    if (!signal.aborted) showNobody();
    throw error;
  }
  showStatus(`Showing ${file.name}.`);
}

/** Shows that there is no picture. */
function showNobody() {
  for (const image of pictures) {
    image.removeAttribute("srcset");
    image.src = form.dataset.nobody;
  }
}

/** Shows a skin file instead of a player. */
async function openFile(chosen) {
  // The server may not take any.
  if (!chosen || document.getElementById("file").hidden) return;
  if (chosen.size > MAX_FILE_BYTES) {
    showStatus(`${chosen.name} is larger than 1 MiB, the limit for skin files.`, true);
    return;
  }
  file = chosen;
  document.getElementById("worn-name").textContent = chosen.name;
  document.getElementById("worn").hidden = false;
  model.value = (await looksSlim(chosen)) ? "slim" : "classic";
  await update();
}

/** Guesses the model: slim arms leave the last column of the right arm transparent. */
async function looksSlim(chosen) {
  try {
    const bitmap = await createImageBitmap(chosen);
    if (bitmap.width !== bitmap.height) return false;
    const canvas = new OffscreenCanvas(64, 64);
    const context = canvas.getContext("2d");
    context.imageSmoothingEnabled = false;
    context.drawImage(bitmap, 0, 0, 64, 64);
    return context.getImageData(54, 20, 1, 1).data[3] === 0;
  } catch {
    return false;
  }
}

/** Shows the player again. */
function closeFile() {
  file = null;
  delete picture.draw;
  delete picture.wear;
  chooser.value = "";
  document.getElementById("worn").hidden = true;
  player.focus();
  update();
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
  clearTimeout(pause);
  pause = setTimeout(update, milliseconds);
}

form.addEventListener("input", ({ target, inputType }) => {
  if (target === chooser || target === model || target === tint || target.type === "range") return;
  if (target !== player) {
    updateAfter(target.type === "number" ? PAUSE_MS : 0);
  } else if (!file) {
    clearTimeout(pause);
    if (inputType === "insertFromPaste") updateAfter(0);
    else if (PLAYER.test(player.value.trim())) updateAfter(TYPING_PAUSE_MS);
  }
});
// While a slider moves, turn.js shows the figure. It changes when it is let go.
form.addEventListener("change", ({ target }) => {
  if (target.type === "range") updateAfter(PAUSE_MS);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(pause);
  if (file) closeFile();
  else update();
});
model.addEventListener("change", update);
tint.addEventListener("change", () => {
  const color = tint.value.slice(1);
  const known = [...background.options].find((option) => option.value === color);
  const option = known ?? background.appendChild(new Option(tint.value, color));
  option.selected = true;
  update();
});
document.getElementById("back").addEventListener("click", closeFile);
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
  else update();
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

disableFields();
markPlayer();
root.classList.add("live");
