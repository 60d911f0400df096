import { dialog } from "electron";
import { firstKeyQuestion } from "../policy/first-key.ts";
import type { Words } from "../policy/words.ts";
import { copyText } from "./copy.ts";

/** Shows the first local key of a new data folder, once: only its hash is stored. */
export async function showFirstKey(key: string, url: string, words: Words): Promise<void> {
  const { response } = await dialog.showMessageBox(firstKeyQuestion(key, url, words));
  if (response === 0) copyText(key);
}
