import { describeEndings } from "../../gateway/contract/model-ending.ts";
import type { ControlClient } from "./control-client.ts";

/** A sentence for each model that keys or routes name and that ends soon; models are asked for only if one is named. */
export async function endingNotes(
  control: ControlClient,
  users: readonly { readonly models: readonly string[] | null }[],
): Promise<string[]> {
  const names = users.flatMap(({ models }) => models ?? []);
  return names.length === 0 ? [] : describeEndings((await control.call("listModels")).data, names, Date.now());
}
