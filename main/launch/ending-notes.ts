import { describeEndings } from "../../gateway/contract/model-ending.ts";
import type { ControlClient } from "./control-client.ts";

/** Returns a sentence for each soon-ending model that keys or routes use; models are only fetched if any is used. */
export async function endingNotes(
  control: ControlClient,
  users: readonly { readonly models: readonly string[] | null }[],
): Promise<string[]> {
  const names = users.flatMap(({ models }) => models ?? []);
  return names.length === 0 ? [] : describeEndings((await control.call("listModels")).data, names, Date.now());
}
