import { Button, useMantineColorScheme } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { isAdministrator } from '@roomkeeper/rules'
import {
  IconBarrierBlock,
  IconCloudCog,
  IconCommand,
  IconDeviceDesktop,
  IconLanguage,
  IconMoon,
  IconSun,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, type MouseEventHandler, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import type { Panels } from '#command-palette/use-screen-commands.ts'
import { RunningOperations } from '#operations/RunningOperations.tsx'
import { Logo } from '#ui/Logo.tsx'
import { OnceOpened } from '#ui/OnceOpened.tsx'
import classes from './Header.module.css'
import { currentLocale } from './language.ts'
import { shortNameOf } from './languages.ts'
import { MenuOnDemand } from './MenuOnDemand.tsx'
import { useSignOut } from './sign-out-context.ts'
import { useCommandKey } from './use-command-key.ts'

const ManageCloudDialog = lazy(async () => ({ default: (await import('./ManageCloudDialog.tsx')).ManageCloudDialog }))
const CommandPalette = lazy(async () => ({
  default: (await import('#command-palette/CommandPalette.tsx')).CommandPalette,
}))
const CustomerPanel = lazy(async () => ({ default: (await import('#rooms/CustomerPanel.tsx')).CustomerPanel }))
const LanguageMenu = lazy(async () => ({ default: (await import('./LanguageMenu.tsx')).LanguageMenu }))
const ColourSchemeMenu = lazy(async () => ({ default: (await import('./ColourSchemeMenu.tsx')).ColourSchemeMenu }))
const ProfileMenu = lazy(async () => ({ default: (await import('./ProfileMenu.tsx')).ProfileMenu }))

const schemeIcons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const
const icon = { size: 18, stroke: 1.7, 'aria-hidden': true } as const

/** On every operator page. */
export function Header() {
  const { t } = useTranslation('app')
  const { name, role } = useOperator()
  const SchemeIcon = schemeIcons[useMantineColorScheme().colorScheme]
  const short = shortNameOf(currentLocale())
  const [areCustomersOpen, customers] = useDisclosure()
  const [isConfigurationOpen, configuration] = useDisclosure()
  const isAdmin = isAdministrator(role)
  return (
    <header className={classes.root}>
      <Link to="/project" className={classes.logo ?? ''} aria-label={t('title')}>
        <Logo size={26} />
        <span className={classes.name}>{t('title')}</span>
      </Link>
      <div className={classes.items}>
        {isAdmin && <Configuration isOpen={isConfigurationOpen} panel={configuration} />}
        {isAdmin && <MaintenanceLink />}
        <CustomerManagement isOpen={areCustomersOpen} panel={customers} />
        <RunningOperations />
        <CommandPaletteButton
          openCustomers={customers.open}
          {...(isAdmin ? { openConfiguration: configuration.open } : {})}
        />
        <MenuOnDemand
          menu={LanguageMenu}
          button={headerButton(t('header.language', { short }), <IconLanguage {...icon} />, short)}
        />
        <MenuOnDemand menu={ColourSchemeMenu} button={headerButton(t('header.scheme'), <SchemeIcon {...icon} />)} />
        <MenuOnDemand
          menu={ProfileMenu}
          button={headerButton(t('header.profile', { name }), <IconUserCircle {...icon} />, name)}
        />
      </div>
    </header>
  )
}

interface PanelProps {
  isOpen: boolean
  panel: { open: () => void; close: () => void }
}

function Configuration({ isOpen, panel }: PanelProps) {
  const { t } = useTranslation('app')
  const label = t('header.configuration')
  return (
    <>
      {headerButton(label, <IconCloudCog {...icon} />, label, panel.open)}
      <OnceOpened isOpen={isOpen}>
        {(isShown) => <ManageCloudDialog isOpen={isShown} onClose={panel.close} />}
      </OnceOpened>
    </>
  )
}

function CustomerManagement({ isOpen, panel }: PanelProps) {
  const { t } = useTranslation('app')
  const label = t('header.customers')
  return (
    <>
      {headerButton(label, <IconUsers {...icon} />, label, panel.open)}
      <OnceOpened isOpen={isOpen}>{(isShown) => <CustomerPanel isOpen={isShown} onClose={panel.close} />}</OnceOpened>
    </>
  )
}

function CommandPaletteButton(panels: Omit<Panels, 'logOut'>) {
  const { t } = useTranslation('app')
  const logOut = useSignOut()
  const [isOpen, palette] = useDisclosure()
  useCommandKey(isOpen ? palette.close : palette.open, isOpen)
  return (
    <>
      {headerButton(t('header.commands'), <IconCommand {...icon} />, undefined, palette.open, t('header.commandsTip'))}
      <OnceOpened isOpen={isOpen}>
        {(isShown) => <CommandPalette isOpen={isShown} onClose={palette.close} panels={{ ...panels, logOut }} />}
      </OnceOpened>
    </>
  )
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

/** An element, because menus hang their own properties on it. Without room for the text only the icon is left. */
function headerButton(name: string, iconElement: ReactNode, text?: string, onClick?: MouseEventHandler, tip = name) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      px={8}
      classNames={{ root: classes.item ?? '', label: classes.label ?? '', section: classes.icon ?? '' }}
      leftSection={iconElement}
      aria-label={name}
      title={tip}
      onClick={onClick}
    >
      {text}
    </Button>
  )
}
