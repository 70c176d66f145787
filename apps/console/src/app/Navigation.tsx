import { isAdministrator } from '@roomkeeper/rules'
import { Link, useLocation } from '@tanstack/react-router'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { rowScreens, screenAt, screensOf, settingsScreens } from '#command-palette/index.ts'
import { Health } from '#overview/index.ts'
import { MenuOnDemand } from '#ui/MenuOnDemand.tsx'
import { onDemand } from '#ui/on-demand.tsx'
import classes from './Navigation.module.css'

const SettingsMenu = onDemand(() => import('./HeaderMenus.tsx'), 'SettingsMenu')

/** The row of links below the header, and below it what is wrong now. */
export function Navigation() {
  const { t } = useTranslation('app')
  const { role } = useOperator()
  const here = useLocation({ select: ({ pathname }) => screenAt(pathname) })
  const isInSettings = settingsScreens.some((each) => each === here)
  const row = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place changes what it finds.
  useLayoutEffect(() => void row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [here])
  return (
    <div className={classes.root}>
      <nav ref={row} className={classes.row} aria-label={t('navigation.title')}>
        {screensOf(role, rowScreens).map(({ id, to }) => (
          <Link key={id} to={to} aria-current={id === here || undefined}>
            {t(`navigation.${id}`)}
          </Link>
        ))}
        {isAdministrator(role) && (
          <MenuOnDemand
            menu={(menu) => <SettingsMenu {...menu} />}
            button={
              <button type="button" aria-current={isInSettings || undefined}>
                {t('navigation.settings')}
              </button>
            }
          />
        )}
      </nav>
      <Health />
    </div>
  )
}
