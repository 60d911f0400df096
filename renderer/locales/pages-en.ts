import { clientsEn } from "./clients-en.ts";
import { configEn } from "./config-en.ts";
import { historyEn } from "./history-en.ts";
import { importEn, setupEn } from "./import-en.ts";
import { libraryEn } from "./library-en.ts";
import { formEn, mcpEn } from "./mcp-en.ts";
import { modelPickerEn } from "./model-picker-en.ts";
import { modelsEn } from "./models-en.ts";
import { playgroundEn } from "./playground-en.ts";
import { sessionsEn } from "./sessions-en.ts";
import { settingsEn } from "./settings-en.ts";
import { telemetryEn } from "./telemetry-en.ts";

/** English of all pages but the first: it is fetched with the first of them. */
export const pagesEn = {
  history: historyEn,
  settings: settingsEn,
  telemetry: telemetryEn,
  library: libraryEn,
  form: formEn,
  mcp: mcpEn,
  modelPicker: modelPickerEn,
  clients: clientsEn,
  playground: playgroundEn,
  models: modelsEn,
  sessions: sessionsEn,
  setup: setupEn,
  config: configEn,
  import: importEn,
} as const;
