import type { ClientFile, ClientKind } from "../client-kind.ts";
import { getItem, createReader, value } from "../client-kind.ts";
import { folderFrom, inAppData, joinPath } from "../place.ts";
import type { Machine, Place } from "../place.ts";

/** The profile's id: any that no other profile has. */
const PROFILE = "7b0f6a1e-6174-4d5a-9c3b-706f73746572";

const inLibrary =
  (...parts: readonly string[]) =>
  (machine: Machine): Place | null => {
    const own = folderFrom(machine, "CLAUDE_USER_DATA_DIR");
    if (own === null) return inAppData(machine, "LOCALAPPDATA", "Claude-3p", ...parts);
    return { path: joinPath(machine, own, ...parts), base: own, lock: null };
  };

const getModeFile = (place: ClientFile["place"]): ClientFile => ({
  part: "models",
  format: "json",
  place,
  settings: () => [value(["deploymentMode"], "3p")],
});

/**
 * Claude Desktop with a gateway ("third-party inference"): a profile in `configLibrary` of `Claude-3p`, selected by
 * `_meta.json`, and the start mode. Fields: docs.litellm.ai/docs/proxy/client_setup/claude_desktop; files: cc-switch
 * 3.20 (`claude_desktop_config.rs`) and @bitkyc08/opencodex 2.63 (`desktop-3p*.ts`), which agree, both read 2026-11-29.
 * The picker fetches the gateway's models and shows those with Claude names.
 */
export const claudeDesktop: ClientKind = {
  id: "claude-desktop",
  name: "Claude Desktop",
  wire: "messages",
  slots: [],
  files: [
    {
      part: "models",
      format: "json",
      place: inLibrary("configLibrary", `${PROFILE}.json`),
      settings: ({ origin, key }) => [
        value(["inferenceProvider"], "gateway"),
        value(["inferenceCredentialKind"], "static"),
        value(["inferenceGatewayBaseUrl"], origin),
        value(["inferenceGatewayApiKey"], key),
        value(["inferenceGatewayAuthScheme"], "bearer"),
        value(["modelDiscoveryEnabled"], true),
      ],
      connected: createReader({ url: ["inferenceGatewayBaseUrl"], key: ["inferenceGatewayApiKey"] }),
    },
    {
      part: "models",
      format: "json",
      place: inLibrary("configLibrary", "_meta.json"),
      settings: () => [value(["appliedId"], PROFILE), getItem(["entries"], { id: PROFILE, name: "Postern" })],
    },
    getModeFile(inLibrary("claude_desktop_config.json")),
    getModeFile((machine) => inAppData(machine, "APPDATA", "Claude", "claude_desktop_config.json")),
  ],
};
