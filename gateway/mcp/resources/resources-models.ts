import type { TextResourceContents } from "@modelcontextprotocol/server";
import type { RingKey } from "../../services/keys/key-ring.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";

/** `postern://models`: the models that this key may use, as `GET /v1/models` tells them. */
export async function readModelsResource(
  { listModels }: Pick<ToolDeps, "listModels">,
  key: RingKey,
): Promise<TextResourceContents> {
  return { uri: "postern://models", mimeType: "application/json", text: JSON.stringify(await listModels.openai(key)) };
}
