import { useState } from "react";
import type { RouteView } from "../../../gateway/contract/route-operations.ts";
import type { SetRoute } from "../../../gateway/contract/routes.ts";
import { ControlError } from "../../api/client.ts";
import { useNotify, useSentence } from "../../components/ui/toasts.tsx";
import { useBusy } from "../../components/ui/use-busy.ts";
import { useMessages } from "../../lib/i18n.tsx";
import type { Messages } from "../../locales/messages.ts";
import { getFieldOfParam, readRoute, type RouteDraft, type RouteField } from "./route-draft.ts";
import { useRouteActions } from "./use-route-actions.ts";

/** The sentence about each field that was refused. */
export type RouteErrors = Readonly<Partial<Record<RouteField, string>>>;

export interface RouteFormState {
  readonly draft: RouteDraft;
  readonly errors: RouteErrors;
  readonly busy: boolean;
  change(change: Partial<RouteDraft>): void;
  submit(enabled: boolean): void;
}

/**
 * State of the route form: parses the draft, saves it, and shows errors at their fields.
 * @param before the changed route; null for a new one
 * @param taken names of other routes
 */
export function useRouteForm(options: {
  readonly initial: RouteDraft;
  readonly before: RouteView | null;
  readonly takenNames: readonly string[];
  readonly onSaved: () => void;
}): RouteFormState {
  const { initial, before, takenNames, onSaved } = options;
  const t = useMessages();
  const notify = useNotify();
  const sentenceOf = useSentence();
  const { save } = useRouteActions();
  const [draft, setDraft] = useState(initial);
  const [errors, setErrors] = useState<RouteErrors>({});
  const { busy, run } = useBusy((error) => {
    const field = error instanceof ControlError ? getFieldOfParam(error.param) : undefined;
    if (field === undefined) notify.showError(error);
    else setErrors({ [field]: sentenceOf(error) });
  });

  const submit = async (enabled: boolean): Promise<void> => {
    const read = readRoute(draft);
    if (!read.ok) {
      setErrors(Object.fromEntries([...read.invalid].map((field) => [field, formatSentenceAbout(field, t)])));
      return;
    }
    const route: SetRoute = { ...read.route, enabled };
    if (takenNames.includes(route.name)) return setErrors({ name: t.routes.nameTaken(route.name) });
    setErrors({});
    if (await run(() => save(route, before))) onSaved();
  };
  return {
    draft,
    errors,
    busy,
    change(change) {
      setDraft((earlier) => ({ ...earlier, ...change }));
      // Rules were reordered, so errors by index no longer apply.
      setErrors({});
    },
    submit: (enabled) => void submit(enabled),
  };
}

function formatSentenceAbout(field: RouteField, t: Messages): string {
  if (field === "name") return t.routes.nameInvalid;
  if (field === "models") return t.routes.modelsMissing;
  const part = field.split(".")[1] ?? "rules";
  const words: Readonly<Record<string, string>> = t.routes.invalid;
  return words[part] ?? t.routes.invalid.when;
}
