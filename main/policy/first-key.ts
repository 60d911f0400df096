import { baseUrl } from "./tray-model.ts";

/** What is said about the first key; the first button copies it. */
export function firstKeyQuestion(key: string, url: string) {
  return {
    type: "info" as const,
    message: "Your first local key",
    detail: `${key}\n\nPoint a client at ${baseUrl(url)} with this key. It is shown only now; more keys are made under Keys.`,
    buttons: ["Copy the key", "I have stored it"],
    defaultId: 0,
    cancelId: 1,
  };
}
