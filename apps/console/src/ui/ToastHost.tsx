import { CopyButton, Group, Loader, Text, UnstyledButton } from '@mantine/core'
import { Notifications, notifications, useNotifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import '@mantine/notifications/styles.layer.css'
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Theme } from './Theme.tsx'
import classes from './ToastHost.module.css'

type ToastKind = 'success' | 'warning' | 'error' | 'running'

/** There is something to do next, which has to be read and reached. */
const secondsWithMore = 20

/** Null: until it is closed. What runs longer is counted in the header, and its toast comes again at its end. */
const secondsShown = { success: 5, warning: 8, error: null, running: 20 } as const
const icons = { success: IconCheck, warning: IconAlertTriangle, error: IconX } as const

/** Above everything else, including dialogs. */
const topmost = 10_000_000

/** Not in the place of dialogs, because a toast stays in sight when a page is covered. */
const ownPlace = { reuseTargetNode: false, id: 'toasts' }

/** More than can ever be shown: none waits, because the newest is in front of the others. */
const allToasts = 1_000

/**
 * In the free part of the header, so that toasts cover nothing of the page or of a dialog, unless a text takes more
 * lines than fit there: the newest one, with the number of the others. All are shown while the pointer or the focus is
 * there.
 */
export function ToastHost() {
  const others = useNotifications().notifications.length - 1
  return (
    <Theme>
      <Notifications
        position="top-left"
        containerWidth={640}
        notificationMaxHeight={400}
        zIndex={topmost}
        limit={allToasts}
        portalProps={ownPlace}
        classNames={{ root: classes.host }}
        data-others={others > 0 ? `+${others}` : undefined}
      />
    </Theme>
  )
}

export interface ShownToast {
  kind: ToastKind
  title: string
  text: string
  /** Of a toast that changes later: `showToast` with the same id replaces it. Others count up when they repeat. */
  id?: string
  /** Shown below the text, such as a link. */
  more?: ReactNode
}

const tones = {
  success: 'rk-good',
  running: 'rk-busy',
  warning: 'rk-warn',
  error: `rk-bad ${classes.error}`,
} as const satisfies Record<ToastKind, string | undefined>

/** How often each shown toast has come, by its id. */
const counts = new Map<string, number>()

/** A toast that is shown already counts up instead, or changes if it has an id. */
export function showToast(toast: ShownToast): void {
  const { kind, title, text } = toast
  const id = toast.id ?? JSON.stringify([kind, title, text])
  const before = counts.get(id) ?? 0
  const count = toast.id === undefined ? before + 1 : 1
  counts.set(id, count)
  const display = before === 0 ? notifications.show : notifications.update
  display({
    id,
    title: count === 1 ? title : <CountedTitle title={title} count={count} />,
    message: <Message {...toast} />,
    icon: <KindIcon kind={kind} />,
    autoClose: closesAfter(toast),
    withBorder: true,
    classNames: { root: classes.root, title: classes.title, icon: tones[kind] },
    closeButtonProps: { 'aria-label': i18next.t('app:close') },
    onClose: () => counts.delete(id),
  })
}

function closesAfter({ kind, more }: ShownToast): number | false {
  const seconds = secondsShown[kind]
  if (seconds === null) return false
  return 1000 * (more === undefined ? seconds : Math.max(seconds, secondsWithMore))
}

export function closeToasts(): void {
  counts.clear()
  notifications.clean()
}

function KindIcon({ kind }: { kind: ToastKind }) {
  if (kind === 'running') return <Loader size={16} color="currentColor" aria-hidden />
  const Icon = icons[kind]
  return <Icon size={16} stroke={2.2} aria-hidden />
}

function Message({ kind, title, text, more }: ShownToast) {
  return (
    <div className={classes.message}>
      <span className={classes.text}>{text}</span>
      {more}
      {kind === 'error' && <CopyText text={`${title}: ${text}`} />}
    </div>
  )
}

function CountedTitle({ title, count }: { title: string; count: number }) {
  return (
    <Group gap="2xs">
      <span>{title}</span>
      <Text span inherit c="dimmed">{`×${count}`}</Text>
    </Group>
  )
}

function CopyText({ text }: { text: string }) {
  const { t } = useTranslation('app')
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <UnstyledButton c="var(--rk-accent-text)" fz="xs" fw={600} onClick={copy}>
          {copied ? t('copied') : t('copy')}
        </UnstyledButton>
      )}
    </CopyButton>
  )
}
