import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { roleAllows } from '@roomkeeper/rules'
import {
  IconApi,
  IconHistory,
  IconKey,
  IconLogout,
  IconStack2,
  IconStethoscope,
  IconTrash,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { use } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator, useSignOut } from '#api/OperatorContext.tsx'
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

/** Who is signed in, the pages for them or their role, and Log out. */
export function ProfileMenu({ target, ...menu }: OnDemandMenuProps) {
  // Screens have one name, here and in the command palette.
  const { t } = useTranslation(['app', 'commands'])
  const { email, role } = useOperator()
  const signOut = useSignOut()
  return (
    <Menu {...menu} position="bottom-end" width={230}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={classes.who ?? ''}>{`${email}\n${t(`roles.${role}`)}`}</Menu.Label>
        <Menu.Divider />
        <Menu.Item
          component={Link}
          to="/project/change_operator_password"
          leftSection={<IconKey size={16} aria-hidden />}
        >
          {t('commands:screens.changePassword')}
        </Menu.Item>
        <Menu.Item component={Link} to="/project/tokens" leftSection={<IconApi size={16} aria-hidden />}>
          {t('commands:screens.tokens')}
        </Menu.Item>
        {roleAllows(role, 'admin') && (
          <Menu.Item component={Link} to="/project/webhooks/{-$id}" leftSection={<IconWebhook size={16} aria-hidden />}>
            {t('commands:screens.webhooks')}
          </Menu.Item>
        )}
        {roleAllows(role, 'super') && (
          <Menu.Item component={Link} to="/project/operators" leftSection={<IconUsersGroup size={16} aria-hidden />}>
            {t('commands:screens.operators')}
          </Menu.Item>
        )}
        <Menu.Item component={Link} to="/project/bulk" leftSection={<IconStack2 size={16} aria-hidden />}>
          {t('commands:screens.bulks')}
        </Menu.Item>
        {roleAllows(role, 'admin') && (
          <Menu.Item component={Link} to="/project/audit" leftSection={<IconHistory size={16} aria-hidden />}>
            {t('commands:screens.audit')}
          </Menu.Item>
        )}
        {roleAllows(role, 'admin') && (
          <Menu.Item component={Link} to="/project/consistency" leftSection={<IconStethoscope size={16} aria-hidden />}>
            {t('commands:screens.consistency')}
          </Menu.Item>
        )}
        {roleAllows(role, 'admin') && (
          <Menu.Item component={Link} to="/project/deleted" leftSection={<IconTrash size={16} aria-hidden />}>
            {t('commands:screens.deleted')}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={signOut}>
          {t('commands:screens.logOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
