import type { ClientId } from "../../contract/clients.ts";
import type { ClientKind } from "./client-kind.ts";
import { cherryStudio } from "./tools/cherry-studio.ts";
import { claudeCode } from "./tools/claude-code.ts";
import { claudeDesktop } from "./tools/claude-desktop.ts";
import { cline } from "./tools/cline.ts";
import { codex } from "./tools/codex.ts";
import { continueDev } from "./tools/continue.ts";
import { cursor } from "./tools/cursor.ts";
import { droid } from "./tools/droid.ts";
import { geminiCli } from "./tools/gemini-cli.ts";
import { goose } from "./tools/goose.ts";
import { grokBuild } from "./tools/grok-build.ts";
import { hermes } from "./tools/hermes.ts";
import { junie } from "./tools/junie.ts";
import { openclaw } from "./tools/openclaw.ts";
import { kilo, opencode } from "./tools/opencode.ts";
import { pi } from "./tools/pi.ts";
import { qwenCode } from "./tools/qwen-code.ts";
import { raycast } from "./tools/raycast.ts";
import { vsCode } from "./tools/vs-code.ts";
import { zed } from "./tools/zed.ts";

/** The clients that Postern can write a file of, or makes a link for, in the order in which they are shown. */
export const clientKinds: readonly ClientKind[] = [
  claudeCode,
  codex,
  claudeDesktop,
  vsCode,
  cursor,
  opencode,
  openclaw,
  hermes,
  cline,
  kilo,
  pi,
  droid,
  qwenCode,
  geminiCli,
  grokBuild,
  goose,
  junie,
  zed,
  continueDev,
  raycast,
  cherryStudio,
];

/** Undefined for a client that no file is written for. */
export function readKind(id: ClientId): ClientKind | undefined {
  return clientKinds.find((kind) => kind.id === id);
}
