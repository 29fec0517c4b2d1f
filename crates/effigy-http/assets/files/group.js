// Shows several players in one picture. Without this script, the form loads the picture itself.

const group = document.getElementById("group");
/** The list of players who may be shown instead of missing ones. */
const substitute = document.getElementById("default");

/** The players of a pasted list. Only gamertags, which begin with a dot, contain spaces. */
function listed(text) {
  const items = text.split(/[,;\n]+/).map((item) => item.trim());
  return items.flatMap((item) => (item.startsWith(".") ? item : item.split(/\s+/))).filter(Boolean);
}

/** Returns the service's entries for the missing players of a picture, and the kind of substitute. */
async function missingIn(url) {
  const entries = new URL(url);
  entries.pathname += ".json";
  const reply = await fetch(entries).catch(() => null);
  const { players = [] } = (await reply?.json().catch(() => null)) ?? {};
  const missing = players.filter((entry) => entry.missing);
  return [missing, reply?.headers.get("X-Effigy-Substitute")];
}

/** The words for whoever is shown instead of missing players, unless an outage hides them, too. */
function substituteInWords() {
  return substitute.value === "default-skin" ? "default skins" : substitute.selectedOptions[0].text;
}

/** Sentences about the players who are missing, if there are any. */
function missingSentences(missing, instead) {
  const namesOf = (entries) => entries.map((entry) => entry.player).join(", ");
  const gaps = missing.filter((entry) => !entry.substitute);
  const replaced = missing.filter((entry) => entry.substitute);
  let sentences = "";
  if (gaps.length) sentences += ` Missing: ${namesOf(gaps)}.`;
  if (replaced.length) sentences += ` Missing: ${namesOf(replaced)}, shown as ${instead}.`;
  return sentences;
}

/** The URL of a picture of several players. */
function groupUrl(players, action) {
  const url = new URL(action, location);
  url.search = `players=${players.map(encodeURIComponent).join(",")}&size=${group.elements.size.value}`;
  if (group.elements.names.checked) url.search += "&names=true";
  if (substitute.value) url.search += `&default=${encodeURIComponent(substitute.value)}`;
  return url;
}

group.addEventListener("submit", async (event) => {
  event.preventDefault();
  const players = listed(group.elements.players.value);
  const instead = substituteInWords();
  const url = groupUrl(players, event.submitter.getAttribute("formaction") ?? group.getAttribute("action"));
  const shown = document.getElementById("group-picture");
  shown.src = document.getElementById("snippet-group").textContent = url.href;
  const isShown = await shown.decode().then(() => true, () => false);
  const [missing, kind] = isShown ? await missingIn(url) : [[], null];
  const reply = isShown ? null : await fetch(url).catch(() => null);
  const { error } = (await reply?.json().catch(() => null)) ?? { error: "The picture could not be loaded." };
  // The visitor has asked for another picture in the meantime.
  if (shown.src !== url.href) return;
  const isMissing = (name) => missing.some((entry) => entry.player === name);
  shown.alt = players.filter((name) => !isMissing(name)).join(", ");
  const status = document.getElementById("group-status");
  const sentences = missingSentences(missing, kind === "fallback" ? "a built-in player" : instead);
  status.textContent = isShown ? `Showing ${shown.alt}.${sentences}` : error;
  status.className = isShown && !missing.length ? "hint" : "bad";
  document.getElementById("group-shown").hidden = !isShown;
});
