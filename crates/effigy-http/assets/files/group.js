// Shows several players in one picture. Without this script, the form loads the picture itself.

/** The padding of each face on a sheet. */
const SHEET_PADDING = 4;

const group = document.getElementById("group");
/** The list of players who may be shown instead of missing ones. */
const substitute = document.getElementById("default");

/** The players of a pasted list. Only gamertags, which begin with a dot, contain spaces. */
function listed(text) {
  const items = text.split(/[,;\n]+/).map((item) => item.trim());
  return items.flatMap((item) => (item.startsWith(".") ? item : item.split(/\s+/))).filter(Boolean);
}

/** The players of a picture who are missing, according to the service. */
async function missingPlayers(url) {
  const places = new URL(url);
  places.pathname += ".json";
  const reply = await fetch(places).catch(() => null);
  const { players = [] } = (await reply?.json().catch(() => null)) ?? {};
  return players.filter((place) => place.missing).map((place) => place.player);
}

/** The URL of a picture of several players. On a sheet, there are gaps between them. */
function groupUrl(players, action) {
  const url = new URL(action, location);
  url.search = `players=${players.map(encodeURIComponent).join(",")}&size=${group.elements.size.value}`;
  if (url.pathname.endsWith("/sheet")) url.search += `&padding=${SHEET_PADDING}`;
  const instead = substitute.value;
  if (instead) url.search += `&default=${encodeURIComponent(instead)}`;
  return url;
}

group.addEventListener("submit", async (event) => {
  event.preventDefault();
  const players = listed(group.elements.players.value);
  const url = groupUrl(players, event.submitter.getAttribute("formaction") ?? group.getAttribute("action"));
  const shown = document.getElementById("group-picture");
  shown.src = document.getElementById("snippet-group").textContent = url.href;
  const isShown = await shown.decode().then(() => true, () => false);
  const missing = isShown ? await missingPlayers(url) : [];
  const reply = isShown ? null : await fetch(url).catch(() => null);
  const { error } = (await reply?.json().catch(() => null)) ?? { error: "The picture could not be loaded." };
  // The visitor has asked for another picture in the meantime.
  if (shown.src !== url.href) return;
  shown.alt = players.filter((name) => !missing.includes(name)).join(", ");
  const others = missing.length ? ` Missing: ${missing.join(", ")}.` : "";
  const status = document.getElementById("group-status");
  status.textContent = isShown ? `Showing ${shown.alt}.${others}` : error;
  status.className = isShown && !missing.length ? "hint" : "bad";
  document.getElementById("group-shown").hidden = !isShown;
});
