import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OnDemandMenuProps } from '#ui/MenuOnDemand.tsx'

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
