import { clientsZh } from "./clients-zh.ts";
import { configZh } from "./config-zh.ts";
import { historyZh } from "./history-zh.ts";
import { importZh, setupZh } from "./import-zh.ts";
import { libraryZh } from "./library-zh.ts";
import { formZh, mcpZh } from "./mcp-zh.ts";
import { modelPickerZh } from "./model-picker-zh.ts";
import { playgroundZh } from "./playground-zh.ts";
import { modelsZh } from "./models-zh.ts";
import { sessionsZh } from "./sessions-zh.ts";
import { settingsZh } from "./settings-zh.ts";
import { telemetryZh } from "./telemetry-zh.ts";
import type { PageWords } from "./messages.ts";

/** Chinese of all pages but the first. */
export const pagesZh: PageWords = {
  history: historyZh,
  settings: settingsZh,
  telemetry: telemetryZh,
  library: libraryZh,
  form: formZh,
  mcp: mcpZh,
  modelPicker: modelPickerZh,
  clients: clientsZh,
  playground: playgroundZh,
  models: modelsZh,
  sessions: sessionsZh,
  setup: setupZh,
  config: configZh,
  import: importZh,
};
