// What stays in this browser: conversations, settings and the key.

const INDEX = "jarrah.chats";
const CHAT = "jarrah.chat.";
const SETTINGS = "jarrah.settings";
const KEY = "jarrah.key";

const read = (name, otherwise) => {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
};

const write = (name, value) => {
  try {
    localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
};

const isChat = (chat) => typeof chat?.id === "string" && Array.isArray(chat.turns);

/** The conversations, the newest first: `[{id, title, kind, updated}]`. */
export const chats = () => {
  const all = read(INDEX, []);
  return Array.isArray(all) ? all.filter((entry) => typeof entry?.id === "string") : [];
};

/** A conversation with its turns; null where there is none. */
export const load = (id) => {
  const chat = read(CHAT + id, null);
  return isChat(chat) ? chat : null;
};

// The chances of single tokens are many: they last as long as the page.
const lasting = (name, value) => (name === "tokens" ? undefined : value);

/** Keeps a conversation; whether there was room for it. */
export const save = (chat) => {
  chat.updated = Date.now();
  const { id, title, kind, updated } = chat;
  const others = chats().filter((entry) => entry.id !== id);
  return write(CHAT + id, JSON.parse(JSON.stringify(chat, lasting))) && write(INDEX, [{ id, title, kind, updated }, ...others]);
};

export const remove = (id) => {
  localStorage.removeItem(CHAT + id);
  write(INDEX, chats().filter((entry) => entry.id !== id));
};

export const create = (kind) => ({
  id: `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`, title: "", kind, system: "", turns: [], text: "",
});

export const settings = () => {
  const found = read(SETTINGS, {});
  return found && typeof found === "object" && !Array.isArray(found) ? found : {};
};

export const saveSettings = (values) => write(SETTINGS, values);

/** The key for requests, of this tab or of this browser. */
export const key = () => sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? "";

export const saveKey = (value, stays) => {
  sessionStorage.removeItem(KEY);
  localStorage.removeItem(KEY);
  if (value) (stays ? localStorage : sessionStorage).setItem(KEY, value);
};
