import type { EditImages } from "../../services/edits/edit-images.ts";
import type { FormPart } from "../../services/edits/form-part.ts";
import { readDocument } from "../../services/edits/read-document.ts";
import { readForm } from "../../services/edits/read-form.ts";
import { callInput, recipient, sendWhole } from "../call-input.ts";
import type { Context } from "../state.ts";

/** `POST /v1/images/edits`: a form, or JSON. The story is in services/edits/edit-images.ts; here it only meets HTTP. */
export function editsRoute(editImages: EditImages) {
  return async function imageEdits(context: Context): Promise<void> {
    const { state } = context;
    // Only a JSON body is kept as bytes: a form's bytes are in its parts.
    const edit = state.raw === null ? readForm(state.body as readonly FormPart[]) : readDocument(state.body);
    sendWhole(context, await editImages.run(callInput(context), edit, recipient(context)));
  };
}
