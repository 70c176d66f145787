import { Box, Button, Group, Text, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { createContext, type ReactNode, use } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldGrid } from './form/FieldGrid.tsx'
import classes from './Page.module.css'

interface PageProps {
  /** The only heading of the page, and the title of the browser tab. */
  title: string
  /** Shown before the title, for a way back. */
  before?: ReactNode
  /** Shown after the title, such as a state pill. */
  beside?: ReactNode
  /** Shown on the right. */
  actions?: ReactNode
  /** `full` for tables, `form` for forms, `half` for pages to which specification 000 gives half of the window. */
  width?: 'full' | 'form' | 'half'
  children: ReactNode
}

/** A page of the operator area: the title, actions on its right, then the content. */
export function Page({ title, before, beside, actions, width = 'full', children }: PageProps) {
  const { t } = useTranslation('app')
  return (
    <div className={classes.root} data-width={width}>
      <title>{t('pageTitle', { page: title })}</title>
      <div className={classes.head}>
        {before}
        <Title order={1} className="rk-text">
          {title}
        </Title>
        {beside}
        <Group gap="xs" ml="auto" data-screen-only>
          {actions}
        </Group>
      </div>
      {children}
    </div>
  )
}

interface PanelProps {
  title: string
  /** One sentence below the title. */
  hint?: ReactNode
  children: ReactNode
}

/** A titled card of full width, for a table. */
export function Panel({ title, hint, children }: PanelProps) {
  return (
    <Box component="section" className="rk-panel" p="lg" bdrs="lg" aria-label={title}>
      <Title order={2} size="h3">
        {title}
      </Title>
      {hint !== undefined && <Hint>{hint}</Hint>}
      <Box mt="sm">{children}</Box>
    </Box>
  )
}

/** A titled card that groups fields in up to two columns. Give a child `data-wide` to span both. */
export function Section({ title, hint, children }: PanelProps) {
  return (
    <Box component="section" className={`rk-panel ${classes.section}`} p="lg" bdrs="lg" aria-label={title}>
      <div>
        <Title order={2} size="h3">
          {title}
        </Title>
        {hint !== undefined && <Hint>{hint}</Hint>}
      </div>
      <FieldGrid>{children}</FieldGrid>
    </Box>
  )
}

function Hint({ children }: { children: ReactNode }) {
  return (
    <Text className="rk-note" mt="2xs">
      {children}
    </Text>
  )
}

/** Leads to the list that the operator came from, as it was left. */
export const GoToListContext = createContext(() => {})

/** The button that leads back from a screen: to the list, if it is not told otherwise. */
export function BackButton({ onClick }: { onClick?: () => void }) {
  const { t } = useTranslation('app')
  const goToList = use(GoToListContext)
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconArrowLeft size={16} aria-hidden />}
      onClick={onClick ?? goToList}
    >
      {t('back')}
    </Button>
  )
}
