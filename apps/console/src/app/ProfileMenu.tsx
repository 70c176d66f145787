import { Menu } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import classes from './Header.module.css'
import type { OnDemandMenuProps } from './MenuOnDemand.tsx'
import { useSignOut } from './sign-out-context.ts'

/** Who is signed in, and the way out. */
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
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={signOut}>
          {t('header.logOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
