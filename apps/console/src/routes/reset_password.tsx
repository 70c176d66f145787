import { createFileRoute } from '@tanstack/react-router'
import { CustomerArea } from '#customers/index.ts'

export const Route = createFileRoute('/reset_password')({ component: () => <CustomerArea page="reset_password" /> })
