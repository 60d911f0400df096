import { Plus } from "lucide-react";
import { useId, useRef, type FormEvent, type ReactNode } from "react";
import type { RouteView } from "../../../gateway/contract/route-operations.ts";
import { routeOrderSchema } from "../../../gateway/contract/routes.ts";
import { Button } from "../../components/ui/button.tsx";
import { Modal, ModalFooter } from "../../components/ui/dialog.tsx";
import { Segmented } from "../../components/ui/segmented.tsx";
import { Toggle } from "../../components/ui/toggle.tsx";
import { useFocusInvalid } from "../../lib/focus-invalid.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { ChainEditor } from "./chain-editor.tsx";
import { EffectLine } from "./effect-line.tsx";
import { NameField } from "./name-field.tsx";
import { moveMember, createRule, type RouteDraft, type RuleDraft } from "./route-draft.ts";
import { RuleEditor } from "./rule-editor.tsx";
import { useRouteForm } from "./use-route-form.ts";

/** The route that is created or changed. */
export interface Opened {
  /** Changes for another route, so that the form is reset. */
  readonly key: string;
  /** The route that is changed; null for a new one. */
  readonly before: RouteView | null;
  readonly draft: RouteDraft;
}

export interface RouteDialogProps {
  readonly opened: Opened | null;
  /** All that there are. */
  readonly routes: readonly RouteView[];
  readonly onClose: () => void;
}

const MOST_RULES = 20;

/** Creates or changes a route, and shows its effect on past requests before saving. */
export function RouteDialog({ opened, routes, onClose }: RouteDialogProps): ReactNode {
  const t = useMessages();
  const before = opened?.before ?? null;
  return (
    <Modal
      open={opened !== null}
      onClose={onClose}
      title={before === null ? t.routes.newTitle : t.routes.editTitle(before.name)}
      size="large"
    >
      {opened !== null && <RouteForm key={opened.key} opened={opened} routes={routes} onClose={onClose} />}
    </Modal>
  );
}

interface RouteFormProps extends RouteDialogProps {
  readonly opened: Opened;
}

function RouteForm({ opened, routes, onClose }: RouteFormProps): ReactNode {
  const t = useMessages();
  const stickyId = useId();
  const { before } = opened;
  const takenNames = routes.flatMap(({ name }) => (name === before?.name ? [] : [name]));
  const { draft, errors, busy, change, submit } = useRouteForm({
    initial: opened.draft,
    before,
    takenNames,
    onSaved: onClose,
  });
  const form = useFocusInvalid(errors);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy) submit(before?.enabled ?? true);
  };
  return (
    <form ref={form} onSubmit={onSubmit} noValidate>
      <div className="flex flex-col gap-4 px-4 pt-3">
        <NameField
          name={draft.name}
          error={errors.name}
          takenNames={takenNames}
          onChange={(name) => change({ name })}
        />
        <ChainEditor
          label={t.routes.models}
          help={t.routes.modelsHelp}
          addLabel={t.routes.addModelTo(t.routes.mainChain)}
          models={draft.models}
          except={takenNames}
          error={errors.models}
          onChange={(models) => change({ models })}
        />
        <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-8 gap-y-4 max-wide:grid-cols-1">
          <Segmented
            label={t.routes.order}
            value={draft.order}
            choices={routeOrderSchema.options.map((id) => ({ id, label: t.routes.orders[id] }))}
            help={t.routes.orderHelp[draft.order]}
            onChange={(order) => change({ order })}
          />
          <div className="flex items-start gap-3">
            <div className="min-w-0 grow">
              <p id={stickyId} className="font-medium">
                {t.routes.stickyLabel}
              </p>
              <p id={`${stickyId}-help`} className="text-meta text-faint">
                {t.routes.stickyHelp}
              </p>
            </div>
            <Toggle
              checked={draft.sticky}
              onChange={(sticky) => change({ sticky })}
              labelledBy={stickyId}
              describedBy={`${stickyId}-help`}
            />
          </div>
        </div>
        <Rules {...{ draft, errors, except: takenNames }} onChange={(rules) => change({ rules })} />
      </div>
      <ModalFooter>
        <EffectLine draft={draft} before={before?.name ?? null} />
        <Button onClick={onClose}>{t.app.cancel}</Button>
        {before === null && (
          <Button aria-disabled={busy} onClick={() => void (busy || submit(false))}>
            {t.routes.createOff}
          </Button>
        )}
        <Button type="submit" look="primary" busy={busy}>
          {before === null ? t.routes.create : t.app.save}
        </Button>
      </ModalFooter>
    </form>
  );
}

interface RulesProps {
  readonly draft: RouteDraft;
  readonly errors: ReturnType<typeof useRouteForm>["errors"];
  readonly except: readonly string[];
  readonly onChange: (rules: readonly RuleDraft[]) => void;
}

function Rules({ draft: { rules }, errors, except, onChange }: RulesProps): ReactNode {
  const t = useMessages();
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const add = (): void => {
    onChange([...rules, createRule(rules)]);
    // The first thing that a rule asks: what kind of request it is for.
    requestAnimationFrame(() => section.current?.querySelector<HTMLElement>("li:last-child [aria-pressed]")?.focus());
  };
  return (
    <section ref={section} aria-labelledby={id} className="flex flex-col gap-2">
      <div className="flex items-end gap-3">
        <div className="min-w-0 grow">
          <h3 id={id} className="font-medium">
            {t.routes.rules}
          </h3>
          <p className="text-meta text-faint">{errors.rules ?? t.routes.rulesHelp}</p>
        </div>
        {rules.length < MOST_RULES && (
          <Button icon={<Plus size={14} aria-hidden />} onClick={add}>
            {t.routes.addRule}
          </Button>
        )}
      </div>
      {rules.length > 0 && (
        <ol className="flex flex-col gap-2">
          {rules.map((rule, at) => (
            <RuleEditor
              key={rule.id}
              rule={rule}
              at={at}
              count={rules.length}
              errors={errors}
              except={except}
              onChange={(next) => onChange(rules.with(at, next))}
              onMove={(to) => onChange(moveMember(rules, at, to))}
              onRemove={() => onChange(rules.toSpliced(at, 1))}
            />
          ))}
        </ol>
      )}
    </section>
  );
}
