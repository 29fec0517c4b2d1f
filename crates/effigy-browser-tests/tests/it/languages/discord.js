// Takes the place of the package discord.js, because no test reaches Discord. It has the parts that
// the bot of docs/embedding.md uses, and refuses what the real ones refuse. Everything else is real:
// the bot, the package that draws and the server that it asks.
//
// On login, the bot gets one command for each set of options in the first argument. Its replies are
// written as JSON, with files in Base64.

process.env.DISCORD_TOKEN = "a token";

export const Events = { InteractionCreate: "interactionCreate" };
export const GatewayIntentBits = { Guilds: 1 };

export class AttachmentBuilder {
  constructor(attachment, { name }) {
    this.attachment = attachment;
    this.name = name;
  }
}

export class Client {
  #listener;

  constructor({ intents }) {
    if (!Array.isArray(intents)) throw new TypeError("A client needs intents");
  }

  on(event, listener) {
    if (event === Events.InteractionCreate) this.#listener = listener;
  }

  async login(token) {
    if (!token) throw new TypeError("A bot needs a token");
    const replies = [];
    for (const options of JSON.parse(process.argv[2])) {
      const interaction = new Interaction(options);
      await this.#listener(interaction);
      replies.push(interaction.reply);
    }
    console.log(JSON.stringify(replies));
  }
}

/** Somebody has typed the command /skin with these options. */
class Interaction {
  commandName = "skin";
  reply = null;
  #isDeferred = false;

  constructor(options) {
    this.options = {
      getString(name, isRequired = false) {
        if (isRequired && !options[name]) throw new TypeError(`The option ${name} is missing`);
        return options[name] ?? null;
      },
    };
  }

  isChatInputCommand() {
    return true;
  }

  async deferReply() {
    this.#isDeferred = true;
  }

  async editReply(message) {
    if (!this.#isDeferred) throw new Error("The reply has not been sent or deferred");
    this.reply = typeof message === "string" ? message : message.files.map(uploaded);
  }
}

function uploaded({ attachment, name }) {
  if (!Buffer.isBuffer(attachment)) throw new TypeError("The resource must be a string or Buffer");
  return { name, content: attachment.toString("base64") };
}
