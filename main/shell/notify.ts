import { Notification } from "electron";

/** Shows a notice of the operating system, where it has such. */
export function notify(notice: { readonly title: string; readonly body: string }): void {
  if (Notification.isSupported()) new Notification(notice).show();
}
