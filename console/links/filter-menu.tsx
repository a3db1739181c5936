import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { Menu, MenuItem } from "#console/ui/menu.tsx";
import { filterClasses } from "./filter-classes.ts";

interface FilterMenuProps<T extends string> {
  readonly name: string;
  readonly icon: ReactNode;
  readonly value: T | undefined;
  /** What holds while nothing is chosen. */
  readonly none: string;
  readonly labels: Readonly<Record<T, string>>;
  readonly all: readonly T[];
  readonly onChoose: (value: T | undefined) => void;
  /** What was chosen by the further items, in words. */
  readonly other?: string | undefined;
  /** Further items, below those of the list. */
  readonly children?: ReactNode;
}

/** One out of several, or none. */
export function FilterMenu<T extends string>(props: FilterMenuProps<T>) {
  const { name, icon, value, none, labels, all, onChoose, other, children } = props;
  const isSet = value !== undefined || other !== undefined;
  const label = value === undefined ? (other ?? none) : labels[value];
  return (
    <Menu
      align="start"
      label={name}
      trigger={
        <button type="button" aria-label={`${name}: ${label}`} className={filterClasses(isSet)}>
          {icon}
          {isSet ? label : name}
          <ChevronDown className="opacity-60" aria-hidden />
        </button>
      }
    >
      <MenuItem chosen={!isSet} onSelect={() => onChoose(undefined)}>
        {none}
      </MenuItem>
      {all.map((item) => (
        <MenuItem key={item} chosen={item === value} onSelect={() => onChoose(item)}>
          {labels[item]}
        </MenuItem>
      ))}
      {children}
    </Menu>
  );
}
