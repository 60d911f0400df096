import type { ClientView } from "../../../gateway/contract/clients.ts";
import type { Tone } from "../../components/ui/badge.tsx";
import type { Messages } from "../../locales/messages.ts";

export type ClientState = keyof Messages["clients"]["states"];

/** The one word that says how it stands with a client: what needs a hand first. */
export function stateOf({ writes, connected, files, found }: ClientView): { state: ClientState; tone: Tone } {
  if (writes.length === 0) return { state: "manual", tone: "neutral" };
  if (connected !== null) {
    if (connected.key === null || connected.key.state !== "active") return { state: "revoked", tone: "danger" };
    const ours = files.filter(({ parts }) => parts.some((part) => connected.parts.includes(part)));
    if (ours.some(({ state }) => state === "refused")) return { state: "refused", tone: "danger" };
    if (ours.some(({ state }) => state === "gone")) return { state: "gone", tone: "warning" };
    if (ours.some(({ state }) => state === "changed")) return { state: "changed", tone: "info" };
    if (ours.some(({ state }) => state !== "written")) return { state: "unwritten", tone: "warning" };
    return { state: "connected", tone: "success" };
  }
  if (files.length > 0 && files.every(({ state }) => state === "refused")) return { state: "refused", tone: "danger" };
  return found ? { state: "found", tone: "info" } : { state: "absent", tone: "neutral" };
}
