import { Button, useMantineColorScheme } from '@mantine/core'
import { isAdministrator } from '@roomkeeper/rules'
import {
  IconBarrierBlock,
  IconCloudCog,
  IconCommand,
  IconDeviceDesktop,
  IconLanguage,
  IconMoon,
  IconRefreshAlert,
  IconSun,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { type MouseEventHandler, type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { newVersionIsThere } from '#api/new-version.ts'
import { useOperator, useSignOut } from '#api/OperatorContext.tsx'
import { collectTyping } from '#command-palette/index.ts'
import { currentLocale, shortNameOf } from '#locales/language.ts'
import { openOperations, RunningOperations, toggleOperations } from '#operations/index.ts'
import { useStore } from '#store.ts'
import { isPageCovered, openDialog } from '#ui/dialog/open-dialogs.ts'
import { Logo } from '#ui/Logo.tsx'
import { MenuOnDemand } from '#ui/MenuOnDemand.tsx'
import { onDemand } from '#ui/on-demand.tsx'
import type { CloudTab } from './cloud-tabs.ts'
import classes from './Header.module.css'

const CommandPalette = onDemand(() => import('#command-palette/CommandPalette.tsx'), 'CommandPalette')
const CustomerPanel = onDemand(() => import('#rooms/CustomerPanel.tsx'), 'CustomerPanel')
const LanguageMenu = onDemand(() => import('./HeaderMenus.tsx'), 'LanguageMenu')
const ColourSchemeMenu = onDemand(() => import('./HeaderMenus.tsx'), 'ColourSchemeMenu')
const ProfileMenu = onDemand(() => import('./HeaderMenus.tsx'), 'ProfileMenu')

const schemeIcons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const
const icon = { size: 18, stroke: 1.7, 'aria-hidden': true } as const

/** The header of every operator page. */
export function Header() {
  const { t } = useTranslation('app')
  const { name, role } = useOperator()
  const SchemeIcon = schemeIcons[useMantineColorScheme().colorScheme]
  const short = shortNameOf(currentLocale())
  const isAdmin = isAdministrator(role)
  return (
    <header className={classes.root}>
      <Link to="/project" className={classes.logo} aria-label={t('title')}>
        <Logo size={26} />
        <span className={classes.name}>{t('title')}</span>
      </Link>
      <div className={classes.items}>
        <NewVersion />
        {isAdmin && <PanelButton panel="configuration" icon={<IconCloudCog {...icon} />} />}
        {isAdmin && <MaintenanceLink />}
        <PanelButton panel="customers" icon={<IconUsers {...icon} />} />
        <RunningOperations />
        <CommandPaletteButton />
        <MenuOnDemand
          menu={(menu) => <LanguageMenu {...menu} />}
          button={headerButton(t('header.language', { short }), <IconLanguage {...icon} />, short)}
        />
        <MenuOnDemand
          menu={(menu) => <ColourSchemeMenu {...menu} />}
          button={headerButton(t('header.scheme'), <SchemeIcon {...icon} />)}
        />
        <MenuOnDemand
          menu={(menu) => <ProfileMenu {...menu} />}
          button={headerButton(t('header.profile', { name }), <IconUserCircle {...icon} />, name)}
        />
      </div>
    </header>
  )
}

/** The browser asks before it reloads a page with unsaved entries. */
function NewVersion() {
  const { t } = useTranslation('app')
  const isThere = useStore(newVersionIsThere)
  const text = t('newVersion')
  return (
    <div role="status" className={classes.version}>
      {isThere && headerButton(text, <IconRefreshAlert {...icon} />, text, () => location.reload())}
    </div>
  )
}

/** @returns functions that open the panels */
function usePanels() {
  const navigate = useNavigate()
  const cloud = (tab: CloudTab) =>
    void navigate({ to: '.', search: (search) => ({ ...search, cloud: tab }), resetScroll: false })
  return {
    cloud,
    configuration: () => cloud('configuration'),
    customers: () => void openDialog(<CustomerPanel />, { outlastsPage: true }),
  }
}

function PanelButton({ panel, icon: iconElement }: { panel: 'configuration' | 'customers'; icon: ReactNode }) {
  const { t } = useTranslation('app')
  const open = usePanels()
  const label = t(`header.${panel}`)
  return headerButton(label, iconElement, label, open[panel])
}

function CommandPaletteButton() {
  const { t } = useTranslation('app')
  const logOut = useSignOut()
  const open = usePanels()
  const close = useRef<() => void>(null)
  const panels = {
    openCustomers: open.customers,
    openOperations,
    openCloud: open.cloud,
    logOut,
  }
  const openPalette = () => {
    const onClose = () => {
      close.current = null
      early.take()
    }
    const opener = document.activeElement
    const early = collectTyping()
    close.current = openDialog(<CommandPalette panels={panels} early={early} />, {
      outlastsPage: true,
      opener,
      onClose,
    })
  }
  useCommandKey('.', toggleOperations)
  useCommandKey('k', () => {
    if (close.current !== null) close.current()
    // The palette must not hide another open dialog.
    else if (!isPageCovered()) openPalette()
  })
  return headerButton(t('header.commands'), <IconCommand {...icon} />, undefined, openPalette, t('header.commandsTip'))
}

/** Ctrl or ⌘ with a key, wherever the focus is. */
function useCommandKey(key: string, onKey: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== key || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    onKey()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

function MaintenanceLink() {
  const { t } = useTranslation('app')
  const navigate = useNavigate()
  const label = t('header.maintenance')
  return headerButton(
    label,
    <IconBarrierBlock {...icon} />,
    label,
    () => void navigate({ to: '/project/maintenance_mode' }),
  )
}

/** An element, because menus add properties to it. Without space for the text, only the icon is shown. */
function headerButton(name: string, iconElement: ReactNode, text?: string, onClick?: MouseEventHandler, tip = name) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      px="xs"
      classNames={{ root: 'rk-header-button', label: classes.label, section: classes.icon }}
      leftSection={iconElement}
      aria-label={name}
      title={tip}
      onClick={onClick}
    >
      {text}
    </Button>
  )
}
