"""Sentences with a key that may be read more slowly; the second half of each list is held out."""

from __future__ import annotations

CHOSEN_ON = {
    "en": (
        ("Please keep in mind that your number is", "four seven two nine", "and that you can use it today."),
        ("Before you leave the house you should", "switch off the main valve", "because the pipes are old."),
        (
            "The technician who visits you tomorrow is called",
            "Benjamin Harrison",
            "and carries a card with his photograph.",
        ),
        ("Your parcel is waiting for you at", "seventeen Chestnut Avenue", "until the end of this week."),
    ),
    "zh": (
        ("请您记住您的号码是", "四七二九", "今天就可以使用。"),
        ("出门之前请您一定要", "关闭主阀门", "因为管道比较旧了。"),
    ),
}
HELD_OUT = {
    "en": (
        (
            "We would like to confirm that the meeting takes place",
            "on Thursday afternoon",
            "in the office near the station.",
        ),
        (
            "The amount that we are going to transfer is",
            "three hundred and twenty dollars",
            "to the account you gave us.",
        ),
        ("If anything goes wrong, please call", "nine one eight four five", "and ask for the duty manager."),
        ("You can cancel the contract, but only", "before the end of March", "and only in writing."),
        ("The gate on the left side opens with", "the small brass key", "that hangs behind the door."),
        ("Your new tariff costs", "eighteen euros and fifty cents", "a month, and starts in October."),
    ),
    "zh": (
        ("我们想跟您确认会议时间是", "星期四下午三点", "地点在车站旁边的办公室。"),
        ("我们将要转给您的金额是", "三百二十五元", "会打到您登记的账户。"),
        ("如果遇到任何问题请拨打", "九一八四五", "并且找值班经理。"),
    ),
}
INTRODUCTIONS = {
    "en": ("Listen carefully, this one matters.", "This is just by the way."),
    "zh": ("请仔细听，这一句很重要。", "这一句只是顺便说一下。"),
}
"""What stands before the sentence: stressed, and control."""
