import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './Page.module.css'

interface PageProps {
  /** The one heading of the page, also the title of the browser's tab. */
  title: string
  /** Stands before the title, for a way back. */
  before?: ReactNode
  /** Stands behind the title, such as a state pill. */
  beside?: ReactNode
  /** On the right of the title. */
  actions?: ReactNode
  /** `full` for tables, `form` for what is filled in, `half` for what specification 000 gives half of the window. */
  width?: 'full' | 'form' | 'half'
  children: ReactNode
}

/** A page of the operator area: one title, its actions on the right, then the content. */
export function Page({ title, before, beside, actions, width = 'full', children }: PageProps) {
  const { t } = useTranslation('app')
  return (
    <div className={classes.root} data-width={width}>
      <title>{t('pageTitle', { page: title })}</title>
      <div className={classes.head}>
        {before}
        <Title order={1} className={classes.title ?? ''}>
          {title}
        </Title>
        {beside}
        <div className={classes.actions}>{actions}</div>
      </div>
      {children}
    </div>
  )
}
