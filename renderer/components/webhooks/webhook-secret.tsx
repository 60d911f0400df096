import { Eye, EyeOff } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { WebhooksView } from "../../../gateway/contract/tasks.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { CopyIcon } from "../ui/copy.tsx";
import { Confirm } from "../ui/dialog.tsx";
import { Section } from "../ui/section.tsx";
import { formatMoment } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { useReceivers } from "./use-receivers.ts";

/** Signing secret: hidden until requested, with copy and rotate. */
export function WebhookSecret({ view }: { readonly view: WebhooksView }): ReactNode {
  const { t, language } = useSpeech();
  const { busy, rotate } = useReceivers();
  const [shown, setShown] = useState(false);
  const [asking, setAsking] = useState(false);
  const confirm = async (): Promise<void> => {
    if (await rotate()) setAsking(false);
  };
  return (
    <Section
      title={t.tasks.secret}
      actions={
        <Button disabled={view.from_environment} onClick={() => setAsking(true)}>
          {t.tasks.rotate}
        </Button>
      }
    >
      <div className="flex min-h-9 items-center gap-1 rounded-md border border-line-strong bg-canvas py-1 pr-1 pl-3">
        <code className="min-w-0 grow font-mono text-meta wrap-anywhere" data-secret>
          {shown ? view.secret : "whsec_••••••••••••••••"}
        </code>
        <IconButton label={shown ? t.tasks.hide : t.tasks.reveal} onClick={() => setShown(!shown)}>
          {shown ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
        </IconButton>
        <CopyIcon text={view.secret} label={t.tasks.copySecret} />
      </div>
      {(view.from_environment || view.previous_until !== null) && (
        <p className="mt-1 text-meta text-faint">
          {view.from_environment && `${t.tasks.fromEnvironment} `}
          {view.previous_until !== null && t.tasks.previousUntil(formatMoment(view.previous_until, language))}
        </p>
      )}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void confirm()}
        title={t.tasks.rotateTitle}
        description={t.tasks.rotateHelp}
        action={t.tasks.rotate}
        busy={busy === "secret"}
      />
    </Section>
  );
}
