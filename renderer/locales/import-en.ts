import type { FieldReason } from "../../gateway/contract/imports.ts";

const reasons: Readonly<Record<FieldReason, string>> = {
  "not-supported": "Postern has nothing like it",
  "own-address": "it leads to the other program or to Postern itself",
  login: "a login that only its own program may use",
  "secret-missing": "its secret is not in the files",
  "unknown-provider": "no address is known for it",
  endpoint: "shortened to the base URL",
  renamed: "under another name",
  unused: "nothing uses it",
  unreadable: "it cannot be read",
  refused: "left out, as said above",
  weak: "short enough to be guessed",
  default: "Postern does that anyway",
};

/** English words of what sets up a Postern at once: imports and configuration files. */
export const setupEn = {
  nothing: "Nothing changes: everything is here already.",
  actions: { add: "New", change: "Changed", remove: "Removed" },
  kinds: {
    connection: "Provider",
    key: "Key",
    route: "Route",
    alias: "Alias",
    price: "Price",
    setting: "Setting",
    search_key: "Search key",
    webhook_secret: "Webhook secret",
    budget: "Budget",
    telemetry_headers: "Telemetry headers",
    metrics_key: "Key of /metrics",
  },
  conflict: (kind: string, name: string, message: string) => `${kind} “${name}”: ${message}`,
  reads: (all: string) => `Read from this machine, and where it goes: ${all}`,
  read: (name: string, place: string) => `${name} → ${place}`,
  undo: "Undo",
  undoTitle: (name: string) => `Undo ${name}`,
  undoHelp: "Everything that was added goes, and what was changed is put back.",
  leftSince: (names: string) => `Changed since, so it stays as it is: ${names}`,
  undone: "Undone",
};

/** English words of the Import page. */
export const importEn = {
  about:
    "Takes over providers, keys, routes, aliases, prices and limits from other programs. Their files are only read. You see every field before anything changes, and an import can be undone as a whole.",
  noneFound: "No set-up of another program was found on this machine.",
  files: "Files",
  filesGone: "Its files are no longer there.",
  imported: "Imported",
  importedAt: "Imported",
  look: "Preview",
  lookAt: (name: string) => `Preview ${name}`,
  undoOf: (name: string) => `Undo the import of ${name}`,

  elsewhere: "From another place",
  program: "Program",
  from: "From",
  folder: "Folder",
  folderHelp: "The folder with its files, as an absolute path on the machine on which Postern runs.",
  text: "Text or link",
  textHelp: "The content of its file, or a link such as ccswitch://v1/import?…",
  missing: { folder: "Type the folder's path.", text: "Paste the text or the link." },

  title: (name: string) => `Import from ${name}`,
  previewHelp: "Nothing is changed before you press Import.",
  changes: (n: number) => (n === 1 ? "1 change" : `${n} changes`),
  addresses: "Addresses",
  addressesHelp: "Where each provider is asked. What you change is shown again before it is imported.",
  takeOver: "Names that are served already",
  takeOverHelp: "Calls of a name that you check go to these models from now on, for every app.",
  keys: "Provider keys",
  keysHelp:
    "Each key that you leave checked is tested with its provider by asking for its models, which costs nothing, and then saved encrypted. A key that is refused is not saved.",
  fields: (n: number) => (n === 1 ? "The one field that was found" : `All ${n} fields that were found`),
  show: "Show",
  all: "All",
  showAll: (n: number) => `Show all ${n}`,
  field: "Field",
  value: "Value",
  fate: "Becomes",
  fates: { taken: "Taken", changed: "Changed", left: "Left" },
  reasons,
  now: "Import",
  importing: "Importing",

  done: (n: number) => (n === 1 ? "Imported: 1 change" : `Imported: ${n} changes`),
  tests: "Provider keys",
  keyWorks: "Works",
  keyTaken: "Saved, test failed",
  keyLeft: "Not saved",
  created: "New local keys",
  createdHelp: "Shown only now. Apps call Postern with them.",

  firstRun: "Set up elsewhere already?",
  firstRunImport: (name: string) => `Import from ${name}`,
};
