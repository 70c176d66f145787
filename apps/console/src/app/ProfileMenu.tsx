import { Menu } from '@mantine/core'
import { roleAllows } from '@roomkeeper/rules'
import { IconHistory, IconKey, IconLogout, IconStethoscope, IconUsersGroup } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import type { OnDemandMenuProps } from '#ui/MenuOnDemand.tsx'
import classes from './Header.module.css'
import { useSignOut } from './sign-out-context.ts'

/** Who is signed in, what belongs to them or their role, and the way out. */
export function ProfileMenu({ target, ...menu }: OnDemandMenuProps) {
  const { t } = useTranslation('app')
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
          {t('header.changePassword')}
        </Menu.Item>
        {roleAllows(role, 'super') && (
          <Menu.Item component={Link} to="/project/operators" leftSection={<IconUsersGroup size={16} aria-hidden />}>
            {t('header.operators')}
          </Menu.Item>
        )}
        {roleAllows(role, 'admin') && (
          <Menu.Item component={Link} to="/project/audit" leftSection={<IconHistory size={16} aria-hidden />}>
            {t('header.audit')}
          </Menu.Item>
        )}
        {roleAllows(role, 'admin') && (
          <Menu.Item component={Link} to="/project/consistency" leftSection={<IconStethoscope size={16} aria-hidden />}>
            {t('header.consistency')}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={signOut}>
          {t('header.logOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
