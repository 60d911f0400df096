import type { ClientId } from "../../contract/clients.ts";
import type { ClientKind } from "./client-kind.ts";
import { claudeCode } from "./tools/claude-code.ts";
import { codex } from "./tools/codex.ts";
import { continueDev } from "./tools/continue.ts";
import { cursor } from "./tools/cursor.ts";
import { opencode } from "./tools/opencode.ts";
import { qwenCode } from "./tools/qwen-code.ts";
import { zed } from "./tools/zed.ts";

/** The clients that Postern can write a file of, in the order in which they are shown. */
export const clientKinds: readonly ClientKind[] = [claudeCode, codex, cursor, opencode, qwenCode, zed, continueDev];

/** Undefined for a client that no file is written for. */
export function readKind(id: ClientId): ClientKind | undefined {
  return clientKinds.find((kind) => kind.id === id);
}
