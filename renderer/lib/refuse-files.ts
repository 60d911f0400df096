/** Prevents a dropped file from replacing the page if nothing accepts it. */
export function refuseFiles(): void {
  const refuse = (event: DragEvent): void => {
    if (event.defaultPrevented || event.dataTransfer?.types.includes("Files") !== true) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  };
  window.addEventListener("dragover", refuse);
  window.addEventListener("drop", refuse);
}
