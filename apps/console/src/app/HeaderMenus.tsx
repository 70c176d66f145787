import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { use } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator, useSignOut } from '#api/OperatorContext.tsx'
import { type Screen, screenIcons, screensOf, settingsScreens } from '#command-palette/index.ts'
import { chooseLocale, currentLocale, languages, nameOf, tagOf } from '#locales/language.ts'
import type { OnDemandMenuProps } from '#ui/MenuOnDemand.tsx'
import classes from './Header.module.css'

/** The languages that the server offers. */
export function LanguageMenu({ target, ...menu }: OnDemandMenuProps) {
  const known = use(languages())
  return (
    <Menu {...menu} position="bottom-end" width={160}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={currentLocale()} onChange={(key) => void chooseLocale(key)}>
          {known.map(({ localeKey }) => (
            <Menu.RadioItem closeMenuOnClick key={localeKey} value={localeKey} lang={tagOf(localeKey)}>
              {nameOf(localeKey)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}

const schemes = ['light', 'dark', 'auto'] as const satisfies readonly MantineColorScheme[]

export function ColourSchemeMenu({ target, ...menu }: OnDemandMenuProps) {
  const { t } = useTranslation('app')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const choose = (value: string) => {
    const scheme = schemes.find((each) => each === value)
    if (scheme !== undefined) setColorScheme(scheme)
  }
  return (
    <Menu {...menu} position="bottom-end" width={170}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={choose}>
          {schemes.map((scheme) => (
            <Menu.RadioItem closeMenuOnClick key={scheme} value={scheme}>
              {t(`header.schemes.${scheme}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}

const inMenu = [
  'overview',
  'changePassword',
  'tokens',
  'webhooks',
  'operators',
  'bulks',
  'audit',
  'consistency',
  'deleted',
] as const satisfies readonly Screen['id'][]

/** Who is signed in, the pages for them or their role, and Log out. */
export function ProfileMenu({ target, ...menu }: OnDemandMenuProps) {
  const { t } = useTranslation(['app', 'commands'])
  const { email, role } = useOperator()
  const signOut = useSignOut()
  return (
    <Menu {...menu} position="bottom-end" width={230}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={classes.who}>{`${email}\n${t(`roles.${role}`)}`}</Menu.Label>
        <Menu.Divider />
        <Screens ids={inMenu} />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={signOut}>
          {t('commands:screens.logOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The pages of administrators that are not in the row below the header. */
export function SettingsMenu({ target, ...menu }: OnDemandMenuProps) {
  return (
    <Menu {...menu} position="bottom-end" width={230}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Screens ids={settingsScreens} />
      </Menu.Dropdown>
    </Menu>
  )
}

/** Screens have one name, here and in the command palette. */
function Screens({ ids }: { ids: readonly ((typeof inMenu)[number] | (typeof settingsScreens)[number])[] }) {
  const { t } = useTranslation('commands')
  const { role } = useOperator()
  return screensOf(role, ids).map(({ id, to }) => {
    const Icon = screenIcons[id]
    return (
      <Menu.Item key={id} component={Link} to={to} leftSection={<Icon size={16} aria-hidden />}>
        {t(`screens.${id}`)}
      </Menu.Item>
    )
  })
}
