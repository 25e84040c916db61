"""What stands in place of real names: the standardized names, placeholder companies and the fixed date."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Literal

REFERENCE_DATE = datetime.date(2025, 1, 8)
"""The day that dates are moved to; "today" of the benchmark's own scenarios."""


@dataclass(frozen=True, kw_only=True)
class StandardName:
    """A person's placeholder: family and given name in both languages."""

    family: str
    given: str
    family_zh: str
    given_zh: str
    gender: Literal["female", "male"]


def _names(table: str) -> tuple[StandardName, ...]:
    rows = (row.split() for row in table.strip().splitlines())
    return tuple(
        StandardName(
            family=family,
            given=given,
            family_zh=chinese[0],
            given_zh=chinese[1],
            gender="female" if gender == "f" else "male",
        )
        for family, given, chinese, gender in rows
    )


STANDARD_NAMES = _names(
    """
    Zhang Qiang 张强 m
    Wang Fang 王芳 f
    Liu Yang 刘洋 m
    Chen Jing 陈静 f
    Zhao Lei 赵磊 m
    Sun Li 孙丽 f
    Zhou Min 周敏 f
    Wu Gang 吴刚 m
    Xu Ping 徐萍 f
    Zhu Hong 朱红 f
    Gao Feng 高峰 m
    Lin Xia 林霞 f
    He Jun 何军 m
    Guo Ying 郭颖 f
    Ma Chao 马超 m
    Luo Dan 罗丹 f
    Li Ming 李明 m
    Tang Bo 唐波 m
    Deng Yan 邓燕 f
    Cao Wei 曹伟 m
    Peng Juan 彭娟 f
    Zeng Hui 曾辉 m
    Xiao Mei 肖梅 f
    Tian Kai 田凯 m
    """
)
"""The first sixteen are the benchmark's people."""

COMPANIES = (
    ("Changjiang", "长江"),
    ("Taishan", "泰山"),
    ("Huangshan", "黄山"),
    ("Huanghe", "黄河"),
    ("Kunlun", "昆仑"),
    ("Dongting", "洞庭"),
    ("Hengshan", "衡山"),
    ("Songhua", "松花"),
    ("Lushan", "庐山"),
    ("Emei", "峨眉"),
    ("Qilian", "祁连"),
    ("Taihu", "太湖"),
)
PLACES = (
    ("Linjiang", "临江"),
    ("Anhe", "安和"),
    ("Pingyuan", "平远"),
    ("Xihe", "西河"),
    ("Dongping", "东坪"),
    ("Nanling", "南岭"),
    ("Beiqiao", "北桥"),
    ("Yunxi", "云溪"),
)
STREETS = (
    ("Harbour", "港湾"),
    ("Meadow", "青草"),
    ("Orchard", "果园"),
    ("Mill", "磨坊"),
    ("Garden", "花圃"),
    ("Lantern", "灯笼"),
    ("Willow", "垂柳"),
    ("Stonebridge", "石桥"),
)
