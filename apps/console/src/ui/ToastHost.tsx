import { CopyButton, Group, Text, UnstyledButton } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import '@mantine/notifications/styles.layer.css'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { Theme } from './Theme.tsx'
import classes from './ToastHost.module.css'

export type ToastKind = 'success' | 'warning' | 'error'

const secondsShown = { success: 5, warning: 8 } as const
const icons = { success: IconCheck, warning: IconAlertTriangle, error: IconX } as const

/** Above everything else, including dialogs. */
const topmost = 10_000_000

export function ToastHost() {
  return (
    <Theme>
      <Notifications position="bottom-left" containerWidth={380} zIndex={topmost} limit={5} />
    </Theme>
  )
}

/** How often each shown toast has come, by its id. */
const counts = new Map<string, number>()

/** A toast that is shown already counts up instead. */
export function showToast(kind: ToastKind, title: string, text: string): void {
  const Icon = icons[kind]
  const id = JSON.stringify([kind, title, text])
  const count = (counts.get(id) ?? 0) + 1
  counts.set(id, count)
  const display = count === 1 ? notifications.show : notifications.update
  display({
    id,
    title: count === 1 ? title : <CountedTitle title={title} count={count} />,
    message: kind === 'error' ? <CopyableText title={title} text={text} /> : text,
    icon: <Icon size={16} stroke={2.2} aria-hidden />,
    autoClose: kind === 'error' ? false : secondsShown[kind] * 1000,
    withBorder: true,
    classNames: { root: classes.root ?? '', icon: classes[kind] ?? '' },
    closeButtonProps: { 'aria-label': i18next.t('app:close') },
    onClose: () => counts.delete(id),
  })
}

export function closeToasts(): void {
  counts.clear()
  notifications.clean()
}

function CountedTitle({ title, count }: { title: string; count: number }) {
  return (
    <Group gap={6}>
      <span>{title}</span>
      <span className={classes.count}>{`×${count}`}</span>
    </Group>
  )
}

function CopyableText({ title, text }: { title: string; text: string }) {
  const { t } = useTranslation('app')
  return (
    <Group justify="space-between" align="flex-end" gap="xs" wrap="nowrap">
      <Text size="sm" className={classes.text}>
        {text}
      </Text>
      <CopyButton value={`${title}: ${text}`}>
        {({ copied, copy }) => (
          <UnstyledButton className={classes.copy} onClick={copy}>
            {copied ? t('copied') : t('copy')}
          </UnstyledButton>
        )}
      </CopyButton>
    </Group>
  )
}
