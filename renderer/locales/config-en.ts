/** English words of the configuration file's panel under Settings > Data. */
export const configEn = {
  title: "Configuration file",
  help: "Providers, keys, routes, aliases, prices, budgets and settings as one YAML file. Usage, results and history are in backups.",
  export: "Export",
  import: "Import",
  file: "Configuration file to import",
  command:
    "The same in a terminal: postern config export, import and diff. POSTERN_CONFIG names a file that every start applies.",

  exportHelp: "The file has everything that makes Postern respond as it does.",
  secrets: "Provider keys",
  without: "Leave out",
  encrypted: "Encrypt",
  withoutHelp: "Where the file is imported, keys of providers stay as they are.",
  encryptedHelp: "With a passphrase, in the age format. Who has both can use your keys.",
  passphrase: "Passphrase",
  consent: "Your consent",
  consentHelp: "Run npm run postern -- open in a terminal, and paste the address that it prints.",
  passphraseMissing: "Type a passphrase.",
  download: "Download",

  importTitle: (file: string) => `Import ${file}`,
  importHelp: "Nothing is changed before you press Import.",
  openHelp: "The file's provider keys are encrypted.",
  open: "Open",
  unconnected: (apps: string) =>
    `Not connected here: ${apps}. Connect them on the Apps page; an import does not write their files.`,

  applied: "Can be undone",
  sources: { file: "Configuration file", followed: "File that Postern follows", program: "Import" },
  records: (n: number) => (n === 1 ? "1 change" : `${n} changes`),
  undoOf: (what: string, when: string) => `Undo: ${what}, ${when}`,
  forget: "Keep, no undo",
  forgetOf: (what: string, when: string) => `Keep, no undo: ${what}, ${when}`,
};
